// The question that people ask: how many must collude to work out somebody's value?
//
// h and h* do not answer it. They say up to which size masks add nothing to the sums that members of a
// coalition are given; but members put these sums together. Two agents whose neighbourhoods differ in one
// agent have that agent's value by a subtraction (findings 8). So this looks for the smallest coalition whose
// joint view, messages and sums, determines a single value, in exact arithmetic.
#pragma once

#include <optional>
#include <string>

#include "tacit/charter/bounds/round.hpp"

namespace tacit {

/// A coalition, and an agent outside of it whose value it can work out.
struct Exposure {
  Coalition coalition;
  AgentId learns = 0;
};

struct Weakest {
  /// No coalition of up to this many agents can work out anybody's value. At most M - 2: of all but one, the
  /// total gives the last one's.
  std::size_t withstands = 0;
  /// One of the smallest coalitions that can. None on a complete graph, and where the search had to end
  /// first: then larger coalitions than `withstands` were not all looked at.
  std::optional<Exposure> exposure;
  bool complete = true;
};

struct WeakestQuestion {
  MaskMakers masks;
  bool blinded = false;
  std::size_t iterations = 0;  ///< T
  double most_work = 1e9;      ///< multiplications, about; a few nanoseconds each
};

/// From the messages of one round and the weighted sums that members get in it.
Weakest weakest_in_one_round(const MetropolisWeights& weights, const WeakestQuestion& question);

/// From all rounds and the total that everybody gets. What rounding tells besides is not counted.
Weakest weakest_in_all_rounds(const MetropolisWeights& weights, const WeakestQuestion& question,
                              const Weakest& in_one_round);

/// "agents 0 and 2 together can work out agent 1's value in one round": `when` is the last part.
std::string in_words(const Exposure& exposure, const std::string& when);
/// "No coalition of up to 1 agent can work out anybody's value in one round, and agents ... can.", or what is
/// known of it where the search had to end.
std::string in_words(const Weakest& weakest, const std::string& when);

}  // namespace tacit
