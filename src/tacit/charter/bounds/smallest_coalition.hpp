// How many agents must collude to compute another agent's value.
//
// h and h* do not answer this. They bound the size of coalitions to whose members' sums messages add nothing,
// but the members can combine these sums. Two agents whose neighbourhoods differ in one agent obtain that
// agent's value by a subtraction (findings 8). The search here finds the smallest coalition whose joint view
// of messages and sums determines a single value in exact arithmetic.
#pragma once

#include <optional>
#include <string>

#include "tacit/charter/bounds/round_leakage.hpp"

namespace tacit {

/// A coalition, and an agent outside it whose value it can compute.
struct Exposure {
  Coalition coalition;
  AgentId learns = 0;
};

struct Weakest {
  /// No coalition of up to this many agents can compute another agent's value. At most M - 2, because M - 1
  /// agents always obtain the last value from the total.
  std::size_t withstands = 0;
  /// One of the smallest coalitions that can. None on a complete graph, and none if the search reached its
  /// limit.
  std::optional<Exposure> exposure;
  bool complete =
      true;  ///< false if the search reached its limit before it had checked all larger coalitions
};

struct WeakestQuestion {
  MaskMakers masks;
  bool blinded = false;
  std::size_t iterations = 0;  ///< T
  double most_work = 1e9;      ///< approximate limit on multiplications, a few nanoseconds each
};

/// Uses the messages of one round and the weighted sums that members receive in it.
Weakest weakest_in_one_round(const MetropolisWeights& weights, const WeakestQuestion& question);

/// Uses all rounds and the total that all agents receive. Does not count what rounding errors reveal.
Weakest weakest_in_all_rounds(const MetropolisWeights& weights, const WeakestQuestion& question,
                              const Weakest& in_one_round);

/// "agents 0 and 2 together can compute the value of agent 1 in one round", where `when` is "in one round".
std::string in_words(const Exposure& exposure, const std::string& when);
/// "No single agent can compute the value of another agent in one round. Agents 0 and 2 together can compute
/// the value of agent 1.", or what is known if the search reached its limit.
std::string in_words(const Weakest& weakest, const std::string& when);

}  // namespace tacit
