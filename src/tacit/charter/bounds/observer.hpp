// A coalition as an observer of the honest agents' dynamics.
//
// With C the coalition and H the others, (metroQuant) reads z_H(t+1) = A z_H(t) + (A - I) g(t) + B q_C(t),
// where A = W_HH, q = z + g are the quantised states with |g| ≤ L_z/2, and q_C is the coalition's own. In
// every round the coalition sees the weighted sums o·q_H(t) that masks leave it (mask_parts); its own
// trajectory is made of these sums and its own values, so they are all there is to see.
#pragma once

#include <cstdint>
#include <vector>

#include "tacit/charter/bounds/round.hpp"

namespace tacit {

struct Observer {
  /// A coefficient in units of L_w.
  struct Term {
    std::size_t agent;  ///< place in `honest`, or in `coalition` for `from_coalition`
    std::uint64_t weight;
  };
  using Sum = std::vector<Term>;

  std::uint64_t denominator = 1;  ///< 1/L_w
  Coalition coalition;
  std::vector<AgentId> honest;      ///< H, ascending
  std::vector<Sum> dynamics;        ///< A, a row for each of `honest`
  std::vector<Sum> from_coalition;  ///< B likewise
  std::vector<Sum> seen;            ///< the sums o, linearly independent
  std::vector<AgentId> aggregator;  ///< who of the coalition gets each of `seen`
  std::vector<MaskPart> parts;      ///< components of G without the coalition, in places of `honest`
};

/// Throws as check_coalition does.
Observer observe(const MetropolisWeights& weights, MaskMakers masks, const Coalition& coalition);

}  // namespace tacit
