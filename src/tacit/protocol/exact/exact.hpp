// Protocol exact: everybody gets the sum of everybody's values, to the bit, and any coalition of up to the
// plan's collusion bound learns nothing else. One agent's side; docs/protocol.md tells the whole.
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
  std::size_t fewest = 3;     ///< an answer needs at least so many agents (or all, if they are fewer)
  /// How many may collude without learning more than the sum; M - 2 when it is larger, or absent and M is at
  /// most 200. Beyond that everybody masking with everybody gets dear, and 100 is what absent means.
  std::optional<std::size_t> collusion = {};
};

struct ExactPlan {
  std::size_t agents = 0, dimension = 0;
  double value_bound = 0, unit = 0;
  unsigned modulus_bits = 0;  ///< b: sums of M bounded values fit Z_2^b
  AgentId originator = 0;
  std::size_t fewest = 0;
  std::size_t mask_degree = 0;  ///< partners on the roster's circle; 0 is everybody
  std::size_t collusion = 0;    ///< what that withstands

  std::size_t element_bytes() const { return (modulus_bits + 7) / 8; }
  std::size_t message_bytes() const { return element_bytes() * dimension; }
  /// How far an answer can be from the sum of the reals: every value is rounded to the unit, and the sum,
  /// which is exact, to a double.
  double error() const { return static_cast<double>(agents) * (0.5 * unit + 0x1p-52 * value_bound); }
};

/// Messages of a first sum by everybody, on a graph of so many edges: a call over every edge but those to
/// parents, then six over each edge of the tree.
std::uint64_t exact_messages(const ExactPlan& plan, std::size_t edges);
/// Bytes of the two vectors that go over every edge of the tree; rosters and seeds come to little beside
/// them.
std::uint64_t exact_vector_bytes(const ExactPlan& plan);

/// Throws InputError with what would do when a bound, a unit or the modulus cannot be used.
ExactPlan make_exact_plan(const ExactRequest& request);

struct ExactSum {
  Values sum;
  std::vector<AgentId> roster;  ///< whose values it is of, ascending
};

/// Gathers a roster, or goes on with the one that stands on this channel, masks, sums up a spanning tree,
/// opens. An agent of the roster lost before the opening ends the epoch, and whoever is left tries again with
/// new keys. Throws InputError for a value that is not finite or above the plan's bound; Error, naming agent
/// and step, for a loss during the opening, for too few agents, for a plan that differs from the originator's
/// and for messages no honest agent sends. `net` and `plan` must outlive the task.
Task<ExactSum> exact_sum(Channel& net, const ExactPlan& plan, Values mine);

}  // namespace tacit
