// The only interface to igraph. The rest of the room must not use igraph's types or error codes.
//
// igraph has global state, so a lock serialises the calls, which may come from any thread. Errors of igraph
// are thrown as Error, after its memory has been freed. The two generators below reseed igraph's default
// random generator.
#pragma once

#include <cstdint>
#include <memory>

#include "tacit/graph/graph.hpp"

namespace tacit::igraph_bridge {

/// Returns a random graph in which all agents have the same degree. Requires an even product agents * degree
/// and 2 * degree < agents.
std::vector<Edge> regular(std::size_t agents, std::size_t degree, std::uint64_t seed);

/// Returns a random geometric graph: agents at random positions in the unit square, joined if within
/// `radius`.
std::vector<Edge> geometric(std::size_t agents, double radius, std::uint64_t seed);

/// Returns the agents of a connected graph whose removal disconnects the others, in ascending order.
std::vector<AgentId> cut_agents(std::size_t agents, const std::vector<Edge>& edges);

/// Counts disjoint paths in one undirected simple graph.
class Paths {
 public:
  Paths(std::size_t agents, const std::vector<Edge>& edges);
  ~Paths();
  Paths(const Paths&) = delete;
  Paths& operator=(const Paths&) = delete;

  /// Returns the largest number of paths from a to b that share no other vertex; a and b must not be
  /// adjacent. By Menger's theorem, this is also the smallest number of vertices whose removal separates
  /// them.
  std::size_t disjoint(AgentId a, AgentId b) const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace tacit::igraph_bridge
