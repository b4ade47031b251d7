// Protocol exact: every agent receives the exact sum of all agents' values. A coalition of up to the plan's
// collusion bound learns nothing else, whatever its members send. This is one agent's side; docs/protocol.md
// describes the protocol in full.
//
// Verified sums: each agent sends its masked vector and its self-mask to all, signed, and computes the sum
// itself. Tree sums: masked sums go up a tree to the originator, which opens and distributes the total. They
// are for consortia in which a cost that grows with the square of the number of agents is too high.
//
// Threads: agents may run on different threads, each task on one at a time. Several tasks may share a
// plan.
// Errors: as described for each function; those of exact_sum are thrown by the result of its task.
// Stopping: exact_sum stops as its channel does (channel/channel.hpp): at the next message that the agent
// waits for. The other functions are short.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>

#include "tacit/protocol/channel/task.hpp"
#include "tacit/protocol/run/run.hpp"
#include "tacit/secrecy/wiped.hpp"

namespace tacit {

struct ExactRequest {
  std::size_t agents = 0;     ///< M
  std::size_t dimension = 1;  ///< p, the number of values of each agent
  double value_bound = 1;     ///< a public bound on every agent's values
  double unit = 0;            ///< values are rounded to multiples of it; 0 means 2^-40 of the bound
  AgentId originator = 0;     ///< the asker; it opens and distributes the total of a tree sum
  std::size_t fewest = 3;     ///< a result needs at least this many agents (or all, if there are fewer)
  bool tree = false;          ///< use a tree sum; always used with more than most_verified agents
  /// How many agents may collude without learning more than the sum; at most M - 2. The default is M - 2 for
  /// up to 200 agents, and 100 for more agents, where masking with all others is expensive.
  std::optional<std::size_t> collusion = {};
};

/// The largest number of agents for verified sums.
inline constexpr std::size_t most_verified = 64;

struct ExactPlan {
  std::size_t agents = 0, dimension = 0;
  double value_bound = 0, unit = 0;
  unsigned modulus_bits = 0;  ///< b: sums of M bounded values fit Z_2^b
  AgentId originator = 0;
  bool verified = true;         ///< false: a tree sum
  std::size_t fewest = 0;       ///< at least collusion + 2, so that two honest agents remain
  std::size_t mask_degree = 0;  ///< partners on the roster's circle; 0 means all other agents
  std::size_t collusion = 0;    ///< how many may collude with that degree

  std::size_t element_bytes() const { return (modulus_bits + 7) / 8; }
  std::size_t message_bytes() const { return element_bytes() * dimension; }
  /// Returns the maximum distance of a result from the real sum: every value is rounded to the unit, and the
  /// exact sum of these to a double.
  double error() const { return static_cast<double>(agents) * (0.5 * unit + 0x1p-52 * value_bound); }
};

/// Returns the number of messages of all agents in a first sum, including keys: four statements by each agent
/// to every other, or six messages over each edge of the tree.
std::uint64_t exact_messages(const ExactPlan& plan);
/// Returns the bytes of the vectors in them; keys, signatures and self-masks add little.
std::uint64_t exact_vector_bytes(const ExactPlan& plan);

/// The exact cost of a first sum over a tree. Further sums need no keys.
struct TreeCost {
  std::size_t depth = 0;         ///< links from the originator to the farthest agent
  std::size_t rounds = 0;        ///< messages that wait for each other: three times up and down
  std::uint64_t bytes = 0;       ///< of all agents
  std::uint64_t keys = 0;        ///< of these bytes, those for keys
  std::uint64_t most_bytes = 0;  ///< the most bytes that one agent sends and receives
};
TreeCost tree_cost(const ExactPlan& plan, const Gathering& gathering);

/// Throws InputError, with a remedy, if a bound, the unit or the modulus cannot be used.
ExactPlan make_exact_plan(const ExactRequest& request);

/// Returns the sum of the values of all agents of the run. Throws InputError if a value is not
/// finite or exceeds the plan's bound, or if there are too few agents. Throws Error, naming agent and step,
/// for a lost agent, an agent with another transcript, and a violation of the protocol. In a verified sum, no
/// agent receives a total unless all agents have confirmed the same masked vectors. `net` and `plan` must
/// outlive the task.
Task<Values> exact_sum(Run& net, const ExactPlan& plan, Values mine);

/// Returns the circle on which agents find their mask partners (mask_partners): the roster in its own order,
/// or for tree sums in the order of a walk through the originator's tree, so that partners are near each
/// other in the tree.
const std::vector<AgentId>& mask_circle(const Gathering& gathering, const ExactPlan& plan);

/// Returns a digest of what all agents of a sum must agree on.
Digest digest_of(const ExactPlan& plan);

}  // namespace tacit
