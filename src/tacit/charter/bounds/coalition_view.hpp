// A coalition as an observer of the honest agents' dynamics.
//
// With C the coalition and H the others, (metroQuant) reads z_H(t+1) = A z_H(t) + (A - I) g(t) + B q_C(t).
// Here A = W_HH, q = z + g are the quantised states with |g| ≤ L_z/2, and q_C are the coalition's own. In
// each round, the coalition sees the weighted sums o·q_H(t) that masks do not hide (mask_parts). Its own
// trajectory follows from these sums and its own values, so it sees nothing else.
#pragma once

#include <cstdint>
#include <vector>

#include "tacit/charter/bounds/round_leakage.hpp"

namespace tacit {

struct Observer {
  /// A coefficient in units of L_w.
  struct Term {
    std::size_t agent;  ///< index in `honest`, or in `coalition` for `from_coalition`
    std::uint64_t weight;
  };
  using Sum = std::vector<Term>;

  std::uint64_t denominator = 1;  ///< 1/L_w
  Coalition coalition;
  std::vector<AgentId> honest;      ///< H, ascending
  std::vector<Sum> dynamics;        ///< A, one row for each of `honest`
  std::vector<Sum> from_coalition;  ///< B likewise
  std::vector<Sum> seen;            ///< the sums o, linearly independent
  std::vector<AgentId> aggregator;  ///< the member that receives each of `seen`
  std::vector<MaskPart> parts;      ///< components of G without the coalition, as indices in `honest`
};

/// Throws InputError as check_coalition() does.
Observer observe(const MetropolisWeights& weights, MaskMakers masks, const Coalition& coalition);

}  // namespace tacit
