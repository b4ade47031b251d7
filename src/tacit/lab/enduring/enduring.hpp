// Enduring sums: an exact sum over a tree that goes on when agents are lost, for consortia so large that
// somebody always is. Everybody who is left gets the same sum, with the list of those whose values are not in
// it, or the same error. Simulated only; docs/protocol.md describes it in full and says why.
//
// An agent masks with keepers instead of partners. Keepers stand in posts of three, which hold one key in
// common. A post adds up its masks of exactly those whose vectors have arrived, once in a sum: whoever is
// lost before is left out, and whoever is lost later is not needed any more.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "tacit/protocol/exact/exact.hpp"

namespace tacit {

struct EnduringPlan {
  ExactPlan sum;               ///< numbers, originator, fewest; mask partners do not count
  std::size_t collusion = 0;   ///< how many may collude without learning more than the sum
  std::size_t posts = 0;       ///< that hide a sum: so many that any two choices share an honest one
  std::size_t candidates = 0;  ///< posts to choose them from
  std::size_t keepers = 0;     ///< of a post
  std::size_t quorum = 0;      ///< of these, so many must vote for one list of agents: more than half
  double coverage = 0.95;      ///< of those who are left, so many must be in a sum, or it is begun again
  std::size_t epochs = 10;     ///< the most attempts
};

/// For make_exact_plan's requests; without a collusion bound it is an eighth of the agents, at most 100.
/// `fewest` is at least half of the agents. Throws InputError when there are too few agents for the posts.
EnduringPlan make_enduring_plan(ExactRequest request, std::size_t keepers = 3);

/// What all agents of a sum must agree on.
Digest digest_of(const EnduringPlan& plan);

/// How many turns a sum takes in which nobody is lost, for which everybody sends a message to every
/// neighbour.
std::size_t enduring_turns(const EnduringPlan& plan, const Gathering& everybody);

struct EnduringSum {
  Values sum;
  std::vector<AgentId> left_out;  ///< whose values are not in it, ascending
  std::size_t epochs = 0;         ///< attempts that it took
};

/// The sum of the values of all who take part but those left out. Throws InputError for a value that cannot
/// be summed, which counts as a loss for the others; Error, the same for all, when the originator or too many
/// others are lost. `net` and `plan` must outlive the task.
///
/// No two runs of an identity may have the same start of the transcript: an agent masks with its long-lived
/// key, so that in both its streams would be the same if the keepers' old keys were played again. And whoever
/// gets an error must not bring the same values again, as somebody may hold the sum already.
Task<EnduringSum> enduring_sum(Channel& net, const EnduringPlan& plan, Values mine);

}  // namespace tacit
