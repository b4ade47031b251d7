// Enduring sums: an exact sum over a tree that continues when agents are lost, for consortia so large that an
// agent is almost always lost. All agents that remain get the same sum with the list of agents whose values
// are not in it, or the same error. Runs only in the simulator; docs/protocol.md describes it and gives the
// reasons.
//
// An agent masks with keepers instead of partners. Keepers form posts of three, which share one key. A post
// releases the sum of its masks of exactly those agents whose vectors have arrived, once in a sum. An agent
// that is lost before that is left out; an agent that is lost later is not needed.
//
// Threads: plain values and functions; a task belongs to one thread at a time.
// Errors: InputError for plans and values that cannot be used, Error if a sum fails.
// Stopping: a task waits only for its channel; the simulator obeys StoppableWork (base/stop.hpp).
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "tacit/protocol/exact/exact.hpp"

namespace tacit {

struct EnduringPlan {
  ExactPlan sum;               ///< numbers, originator, fewest; its mask partners are not used
  std::size_t collusion = 0;   ///< how many may collude without learning more than the sum
  std::size_t posts = 0;       ///< posts that hide a sum; any two choices of them share an honest post
  std::size_t candidates = 0;  ///< posts to choose from
  std::size_t keepers = 0;     ///< keepers of a post
  std::size_t quorum = 0;      ///< keepers of a post that must vote for one list of agents: more than half
  double coverage = 0.95;  ///< the share of the remaining agents that must be in a sum; otherwise it restarts
  std::size_t epochs = 10;  ///< the most attempts
};

/// Takes the requests of make_exact_plan. The default collusion bound is an eighth of the agents, at most
/// 100. `fewest` is at least half of the agents. Throws InputError if there are too few agents for the posts.
EnduringPlan make_enduring_plan(ExactRequest request, std::size_t keepers = 3);

/// What all agents of a sum must agree on.
Digest digest_of(const EnduringPlan& plan);

/// The number of turns of a sum in which no agent is lost. In each turn, each agent sends a message to each
/// neighbour.
std::size_t enduring_turns(const EnduringPlan& plan, const Gathering& everybody);

struct EnduringSum {
  Values sum;
  std::vector<AgentId> left_out;  ///< agents whose values are not in it, ascending
  std::size_t epochs = 0;         ///< the number of attempts
};

/// Returns the sum of the values of all agents that take part, except those left out. Throws InputError for a
/// value that cannot be summed; for the other agents, this counts as a loss. Throws Error, the same for all,
/// if the originator or too many others are lost. `net` and `plan` must outlive the task.
///
/// No two runs of an identity may have the same start of the transcript. An agent masks with its long-lived
/// key, so its streams would be the same in both runs if old keys of the keepers were replayed. After an
/// error, an agent must not contribute the same values again, because another agent may already hold the sum.
Task<EnduringSum> enduring_sum(Run& net, const EnduringPlan& plan, Values mine);

}  // namespace tacit
