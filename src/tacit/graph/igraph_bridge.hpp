// The only door to igraph: the rest of the room sees neither its types nor its error codes.
//
// igraph keeps global state, so calls take turns behind one lock; they may come from any thread. What igraph
// reports as an error is thrown as Error, and everything it allocated is freed then too. Its default random
// generator is reseeded by the two generators below.
#pragma once

#include <cstdint>
#include <memory>

#include "tacit/graph/graph.hpp"

namespace tacit::igraph_bridge {

/// A random graph where all have the same degree. Needs agents * degree even and 2 * degree < agents.
std::vector<Edge> regular(std::size_t agents, std::size_t degree, std::uint64_t seed);

/// Random places in the unit square; those within `radius` of each other are joined.
std::vector<Edge> geometric(std::size_t agents, double radius, std::uint64_t seed);

/// Counts paths in one undirected simple graph.
class Paths {
 public:
  Paths(std::size_t agents, const std::vector<Edge>& edges);
  ~Paths();
  Paths(const Paths&) = delete;
  Paths& operator=(const Paths&) = delete;

  /// The most paths from a to b that share no other vertex, for a and b that are not adjacent. By Menger's
  /// theorem also the fewest vertices whose loss separates them.
  std::size_t disjoint(AgentId a, AgentId b) const;

  /// The vertices without which the graph has more components, ascending.
  std::vector<AgentId> cut_vertices() const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace tacit::igraph_bridge
