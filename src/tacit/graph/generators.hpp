// Generators of networks. The same arguments always give the same graph.
//
// The graphs need not be connected or have triangles (connectivity.hpp). All generators throw InputError,
// with a remedy, if there is no graph with such arguments, or if it has more than 10^8 edges.
//
// Threads: any thread may call these functions. Random graphs are drawn one at a time, because igraph has
// global state.
// Errors: InputError as above; Error if igraph fails.
// Stopping: no function can be stopped. The limit on edges bounds the time to some seconds.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "tacit/graph/graph.hpp"

namespace tacit {

/// Returns a ring: agents on a circle, each joined to the degree/2 nearest on both sides, i±1 .. i±degree/2.
/// The degree must be even and from 2 to agents-1. Degree agents-1, odd or even, gives the complete graph.
Graph ring_lattice(std::size_t agents, std::size_t degree);

/// Returns the complete graph: every agent is joined to every other.
Graph complete_graph(std::size_t agents);

/// Returns a random graph in which every agent has `degree` neighbours. Requires 1 <= degree < agents and an
/// even product agents * degree. Sparse graphs nearly always violate the triangle assumption.
Graph random_regular(std::size_t agents, std::size_t degree, std::uint64_t seed);

/// Returns a tree of minimal height with agent 0 as its root. Every agent has up to `children` >= 1 children;
/// those of agent i are children·i + 1, ..., children·i + children. A lost agent disconnects its whole
/// subtree.
Graph tree_graph(std::size_t agents, std::size_t children);

/// Returns a random geometric graph: agents at random positions in the unit square, numbered from left to
/// right. Two agents are joined if their distance is less than `radius`.
Graph random_geometric(std::size_t agents, double radius, std::uint64_t seed);

/// Reads a graph from a text file with two ids per line, counted from 0 and separated by white space or a
/// comma. Blank lines and everything after '#' are ignored. If `agents` is 0, the number of agents is the
/// largest id + 1. Throws InputError, naming file and line, if the file cannot be read or has no edges, a
/// line is not two ids, an edge joins an agent to itself, or an id is not below `agents`.
Graph read_edge_list(const std::filesystem::path& file, std::size_t agents);

/// A rule for the links between any number of agents, or the links themselves.
struct Topology {
  enum class Kind { ring, complete, regular, tree, geometric, edges, given };

  Kind kind = Kind::ring;
  std::size_t degree = 4;           ///< of ring and regular; the children of tree
  double radius = 0;                ///< of geometric
  std::filesystem::path file = {};  ///< of edges
  std::vector<Edge> links = {};     ///< of given

  /// Only regular and geometric use `seed`. Throws InputError as the functions above do.
  Graph graph(std::size_t agents, std::uint64_t seed) const;

  /// Returns the number of agents that the links name; nullopt for a rule. Throws InputError as
  /// read_edge_list does, or if no links are given.
  std::optional<std::size_t> agents() const;
};

/// Returns the topology of a text: "ring:D", "complete", "regular:D", "tree:D", "geometric:R" or
/// "edges:FILE". Throws InputError, listing the forms, for any other text.
Topology parse_topology(const std::string& text);
/// Returns that text, or "the given graph".
std::string to_string(const Topology& topology);

/// Returns the graph of such a text.
Graph parse_topology(const std::string& text, std::size_t agents, std::uint64_t seed);

/// Returns the default topology for this many agents. It is "ring:4": every edge lies in triangles, and costs
/// grow linearly with the number of agents. For up to 5 agents it is "complete", which equals "ring:4" for 5
/// and works for fewer.
Topology usual_topology(std::size_t agents);

}  // namespace tacit
