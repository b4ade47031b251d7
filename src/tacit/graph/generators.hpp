// Networks to choose from. The same arguments always give the same graph.
//
// None of these promises a connected graph or one with triangles: see connectivity.hpp. All throw InputError,
// saying what would work, for arguments that no such graph can have, and for a graph of more than 10^8 edges.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <string>

#include "tacit/graph/graph.hpp"

namespace tacit {

/// Agents on a circle, each joined to the degree/2 nearest on both sides: i±1 .. i±degree/2. The degree is
/// even and from 2 to agents-1. Degree agents-1, odd or even, gives the complete graph.
Graph ring_lattice(std::size_t agents, std::size_t degree);

/// Everybody joined to everybody.
Graph complete_graph(std::size_t agents);

/// A random graph in which every agent has `degree` neighbours, 1 <= degree < agents, agents * degree even.
/// Nearly always breaks the triangle assumption when sparse.
Graph random_regular(std::size_t agents, std::size_t degree, std::uint64_t seed);

/// A tree as low as it can be, with agent 0 at its top and up to `children` >= 1 below every agent: those of
/// i are children·i + 1 and so on. Whoever is lost cuts off all below.
Graph tree_graph(std::size_t agents, std::size_t children);

/// Agents at random places in the unit square, numbered from left to right; two closer than
/// `radius` are joined.
Graph random_geometric(std::size_t agents, double radius, std::uint64_t seed);

/// A graph from a text file: two ids a line, counted from 0, with white space or a comma between them. Blank
/// lines are skipped, and so is everything after '#'. `agents` = 0 means the largest id + 1. Throws
/// InputError, naming file and line, for a file that cannot be read or has no edge, a line that is not two
/// ids, an edge from an agent to itself, and an id that is not below `agents`.
Graph read_edge_list(const std::filesystem::path& file, std::size_t agents);

/// A graph from the words of the command line or a charter: "ring:D", "complete", "regular:D", "tree:D",
/// "geometric:R" or "edges:FILE". `seed` matters to regular and geometric only. Throws InputError as the
/// functions above do, and for any other text, listing the forms.
Graph parse_topology(const std::string& text, std::size_t agents, std::uint64_t seed);

/// The topology for this many agents when nobody has chosen one: "ring:4", where every edge lies in triangles
/// and costs grow with the agents only; "complete" for up to 5, which is the same for 5 and works for fewer.
std::string usual_topology(std::size_t agents);

}  // namespace tacit
