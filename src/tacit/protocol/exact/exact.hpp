// Protocol exact: everybody gets the sum of everybody's values, to the bit, and any coalition of up to the
// plan's collusion bound learns nothing else, whatever its members send. One agent's side; docs/protocol.md
// describes it in full.
//
// Verified sums: all masked vectors and self-masks go to everybody, signed, and everybody adds up itself.
// Tree sums: masked sums climb a tree to the originator, who opens the total and tells it; for consortia so
// large that the square of their number counts.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>

#include "tacit/protocol/channel/channel.hpp"
#include "tacit/protocol/channel/task.hpp"
#include "tacit/secrecy/wiped.hpp"

namespace tacit {

struct ExactRequest {
  std::size_t agents = 0;     ///< M
  std::size_t dimension = 1;  ///< p, how many numbers each agent brings
  double value_bound = 1;     ///< a public bound on every agent's numbers
  double unit = 0;            ///< values are rounded to multiples of it; 2^-40 of the bound when 0
  AgentId originator = 0;     ///< who asks; opens and tells the total of a tree sum
  std::size_t fewest = 3;     ///< an answer needs at least this many agents (or all, if there are fewer)
  bool tree = false;          ///< by a tree; with more than most_verified agents it always is
  /// How many may collude without learning more than the sum; never more than M - 2. When absent, it is M - 2
  /// for up to 200 agents and 100 for more, where masking with everybody is expensive.
  std::optional<std::size_t> collusion = {};
};

/// The most agents whose sums are verified by everybody.
inline constexpr std::size_t most_verified = 64;

struct ExactPlan {
  std::size_t agents = 0, dimension = 0;
  double value_bound = 0, unit = 0;
  unsigned modulus_bits = 0;  ///< b: sums of M bounded values fit Z_2^b
  AgentId originator = 0;
  bool verified = true;         ///< else by a tree
  std::size_t fewest = 0;       ///< at least collusion + 2, so that two honest agents are left
  std::size_t mask_degree = 0;  ///< partners on the roster's circle; 0 is everybody
  std::size_t collusion = 0;    ///< how many may collude with that degree

  std::size_t element_bytes() const { return (modulus_bits + 7) / 8; }
  std::size_t message_bytes() const { return element_bytes() * dimension; }
  /// How far an answer can be from the sum of the reals: every value is rounded to the unit, and the sum,
  /// which is exact, to a double.
  double error() const { return static_cast<double>(agents) * (0.5 * unit + 0x1p-52 * value_bound); }
};

/// Messages of a first sum by everybody, keys included: four statements by each agent to every other, or six
/// messages over each edge of the tree.
std::uint64_t exact_messages(const ExactPlan& plan);
/// Bytes of the vectors in them; keys, signatures and self-masks add little to them.
std::uint64_t exact_vector_bytes(const ExactPlan& plan);

/// What a first sum over a tree costs, to the byte. Further ones need no keys.
struct TreeCost {
  std::size_t depth = 0;         ///< links from the originator to whoever is farthest
  std::size_t rounds = 0;        ///< messages that wait for each other: three times up and down
  std::uint64_t bytes = 0;       ///< of all agents
  std::uint64_t keys = 0;        ///< of these, for keys
  std::uint64_t most_bytes = 0;  ///< that one agent sends and receives
};
TreeCost tree_cost(const ExactPlan& plan, const Gathering& gathering);

/// Throws InputError, saying what would work, when a bound, a unit or the modulus cannot be used.
ExactPlan make_exact_plan(const ExactRequest& request);

/// The sum of the values of all who take part in the channel's run. Throws InputError for a value that is not
/// finite or above the plan's bound, and for too few agents; Error, naming agent and step, for a lost agent,
/// for one that was told something else, and for messages no honest agent sends. Nobody gets a total unless
/// everybody has confirmed the same masked vectors. `net` and `plan` must outlive the task.
Task<Values> exact_sum(Channel& net, const ExactPlan& plan, Values mine);

/// The circle on which agents find their mask partners (mask_partners): the roster as it is, or for tree sums
/// as a walk through the originator's tree meets it, so that partners are near each other in the tree.
const std::vector<AgentId>& mask_circle(const Gathering& gathering, const ExactPlan& plan);

/// What all agents of a sum must agree on.
Digest digest_of(const ExactPlan& plan);

}  // namespace tacit
