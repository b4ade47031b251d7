// Protocol exact: everybody gets the sum of everybody's values, to the bit, and any coalition of up to the
// plan's collusion bound learns nothing else. One agent's side; docs/protocol.md describes it in full.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "tacit/protocol/channel.hpp"
#include "tacit/protocol/task.hpp"
#include "tacit/secrecy/wiped.hpp"

namespace tacit {

struct ExactRequest {
  std::size_t agents = 0;     ///< M
  std::size_t dimension = 1;  ///< p, how many numbers each agent brings
  double value_bound = 1;     ///< a public bound on every agent's numbers
  double unit = 0;            ///< values are rounded to multiples of it; 2^-40 of the bound when 0
  AgentId originator = 0;     ///< who asks: calls, opens and publishes the sum
  std::size_t fewest = 3;     ///< an answer needs at least this many agents (or all, if there are fewer)
  /// How many may collude without learning more than the sum; never more than M - 2. When absent, it is M - 2
  /// for up to 200 agents and 100 for more, where masking with everybody is expensive.
  std::optional<std::size_t> collusion = {};
};

struct ExactPlan {
  std::size_t agents = 0, dimension = 0;
  double value_bound = 0, unit = 0;
  unsigned modulus_bits = 0;  ///< b: sums of M bounded values fit Z_2^b
  AgentId originator = 0;
  std::size_t fewest = 0;
  std::size_t mask_degree = 0;  ///< partners on the roster's circle; 0 is everybody
  std::size_t collusion = 0;    ///< how many may collude with that degree

  std::size_t element_bytes() const { return (modulus_bits + 7) / 8; }
  std::size_t message_bytes() const { return element_bytes() * dimension; }
  /// How far an answer can be from the sum of the reals: every value is rounded to the unit, and the sum,
  /// which is exact, to a double.
  double error() const { return static_cast<double>(agents) * (0.5 * unit + 0x1p-52 * value_bound); }
};

/// Messages of a first sum by everybody, on a graph with this many edges: a call over every edge but those to
/// parents, then six over each edge of the tree.
std::uint64_t exact_messages(const ExactPlan& plan, std::size_t edges);
/// Bytes of the two vectors that go over every edge of the tree; rosters and seeds add little to them.
std::uint64_t exact_vector_bytes(const ExactPlan& plan);

/// Throws InputError, saying what would work, when a bound, a unit or the modulus cannot be used.
ExactPlan make_exact_plan(const ExactRequest& request);

struct ExactSum {
  Values sum;
  std::vector<AgentId> roster;  ///< whose values it is of, ascending
};

/// Gathers a roster, or uses the one that stands on this channel; then masks, sums over a spanning tree and
/// opens. If an agent of the roster is lost before the opening, the epoch ends and the others try again with
/// new keys. Throws InputError for a value that is not finite or above the plan's bound; Error, naming agent
/// and step, for a loss during the opening, for too few agents, for a plan that differs from the originator's
/// and for messages no honest agent sends. `net` and `plan` must outlive the task.
Task<ExactSum> exact_sum(Channel& net, const ExactPlan& plan, Values mine);

}  // namespace tacit
