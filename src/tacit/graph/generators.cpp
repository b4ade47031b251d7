#include "tacit/graph/generators.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <numbers>
#include <optional>
#include <string_view>

#include "tacit/base/error.hpp"
#include "tacit/graph/igraph_bridge.hpp"

namespace tacit {
namespace {

constexpr double most_edges = 1e8;

// Refuses a graph that does not fit in memory, before any allocation.
void check_size(std::size_t agents, double mean_degree) {
  const double edges = 0.5 * static_cast<double>(agents) * mean_degree;
  if (agents <= Graph::most_agents && edges > most_edges) {
    throw InputError(
        fmt::format("A graph of {} agents with {:.0f} neighbours each is too large: it has about {:.1e} "
                    "edges, and at most {:.0e} are allowed; use fewer agents or fewer neighbours.",
                    agents, mean_degree, edges, most_edges));
  }
}

}  // namespace

Graph complete_graph(std::size_t agents) {
  std::vector<Edge> edges;
  if (agents > 0 && agents <= Graph::most_agents) {
    check_size(agents, static_cast<double>(agents - 1));
    edges.reserve(agents * (agents - 1) / 2);
    for (AgentId i = 0; i < agents; ++i) {
      for (AgentId j = i + 1; j < agents; ++j) edges.emplace_back(i, j);
    }
  }
  return Graph(agents, std::move(edges));  // throws for the sizes that were skipped above
}

Graph ring_lattice(std::size_t agents, std::size_t degree) {
  if (agents > 0 && degree == agents - 1) return complete_graph(agents);
  if (degree % 2 == 1 || degree < 2 || degree >= agents) {
    if (agents < 3) {
      throw InputError(fmt::format(
          "No ring of {} agents has degree {}; use at least 3 agents, or the topology \"complete\".", agents,
          degree));
    }
    throw InputError(
        fmt::format("A ring of {} agents cannot have degree {}: use an even degree from 2 to {}, or {} for "
                    "the complete graph.",
                    agents, degree, (agents - 1) / 2 * 2, agents - 1));
  }
  check_size(agents, static_cast<double>(degree));
  std::vector<Edge> edges;
  if (agents <= Graph::most_agents) {
    edges.reserve(agents * degree / 2);
    for (std::size_t i = 0; i < agents; ++i) {
      for (std::size_t step = 1; step <= degree / 2; ++step) {
        edges.emplace_back(static_cast<AgentId>(i), static_cast<AgentId>((i + step) % agents));
      }
    }
  }
  return Graph(agents, std::move(edges));
}

Graph random_regular(std::size_t agents, std::size_t degree, std::uint64_t seed) {
  if (degree == 0 || degree >= agents) {
    throw InputError(
        fmt::format("{} agents cannot have {} neighbours each: use a degree of at least 1 and below the "
                    "number of agents.",
                    agents, degree));
  }
  if (agents % 2 == 1 && degree % 2 == 1) {
    throw InputError(
        fmt::format("{} agents cannot have {} neighbours each, as every edge has two ends: use an even "
                    "degree or an even number of agents.",
                    agents, degree));
  }
  if (agents > Graph::most_agents) return Graph(agents, {});  // throws
  check_size(agents, static_cast<double>(degree));
  if (2 * degree < agents) return Graph(agents, igraph_bridge::regular(agents, degree, seed));

  // The generator fails on dense graphs, so those are drawn as complements of sparse ones.
  if (degree == agents - 1) return complete_graph(agents);
  const Graph missing(agents, igraph_bridge::regular(agents, agents - 1 - degree, seed));
  std::vector<Edge> edges;
  edges.reserve(agents * degree / 2);
  for (AgentId i = 0; i < agents; ++i) {
    const auto skip = missing.neighbours(i);
    auto next = std::upper_bound(skip.begin(), skip.end(), i);
    for (AgentId j = i + 1; j < agents; ++j) {
      if (next != skip.end() && *next == j) {
        ++next;
      } else {
        edges.emplace_back(i, j);
      }
    }
  }
  return Graph(agents, std::move(edges));
}

Graph tree_graph(std::size_t agents, std::size_t children) {
  if (children == 0) throw InputError("In a tree, agents need at least 1 child each; use tree:1 or more.");
  std::vector<Edge> edges;
  if (agents <= Graph::most_agents)
    for (std::size_t i = 1; i < agents; ++i)
      edges.emplace_back(static_cast<AgentId>((i - 1) / children), static_cast<AgentId>(i));
  return Graph(agents, std::move(edges));
}

Graph random_geometric(std::size_t agents, double radius, std::uint64_t seed) {
  if (!std::isfinite(radius) || radius <= 0) {
    throw InputError(
        fmt::format("The radius of a geometric graph is {}; use a number above 0, such as 0.3.", radius));
  }
  if (agents == 0 || agents > Graph::most_agents) return Graph(agents, {});  // throws
  check_size(agents, std::min(1.0, std::numbers::pi * radius * radius) * static_cast<double>(agents - 1));
  return Graph(agents, igraph_bridge::geometric(agents, radius, seed));
}

namespace {

// Returns the whole text as a number, or nothing if it is not one.
template <typename Number>
std::optional<Number> number(std::string_view text) {
  Number value{};
  const auto [end, code] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (code != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return value;
}

}  // namespace

Topology parse_topology(const std::string& text) {
  using Kind = Topology::Kind;
  if (text == "complete") return {.kind = Kind::complete};
  if (const auto colon = text.find(':'); colon != std::string::npos) {
    const std::string kind = text.substr(0, colon);
    const std::string value = text.substr(colon + 1);
    if (kind == "edges" && !value.empty()) return {.kind = Kind::edges, .file = value};
    if (kind == "geometric") {
      if (const auto radius = number<double>(value)) return {.kind = Kind::geometric, .radius = *radius};
    }
    if (const auto degree = number<std::size_t>(value)) {
      if (kind == "ring") return {.kind = Kind::ring, .degree = *degree};
      if (kind == "regular") return {.kind = Kind::regular, .degree = *degree};
      if (kind == "tree") return {.kind = Kind::tree, .degree = *degree};
    }
  }
  throw InputError(
      fmt::format("\"{}\" is not a topology; use ring:D, complete, regular:D, tree:D, geometric:R or "
                  "edges:FILE, with a degree D such as 4, a radius R such as 0.3 and an edge list FILE.",
                  text));
}

Graph Topology::graph(std::size_t agents, std::uint64_t seed) const {
  switch (kind) {
    case Kind::complete:
      return complete_graph(agents);
    case Kind::regular:
      return random_regular(agents, degree, seed);
    case Kind::tree:
      return tree_graph(agents, degree);
    case Kind::geometric:
      return random_geometric(agents, radius, seed);
    case Kind::edges:
      return read_edge_list(file, agents);
    case Kind::given:
      return Graph(agents, links);
    case Kind::ring:
      break;
  }
  return ring_lattice(agents, degree);
}

std::optional<std::size_t> Topology::agents() const {
  if (kind == Kind::edges) return read_edge_list(file, 0).agents();
  if (kind != Kind::given) return {};
  if (links.empty()) throw InputError("the given graph has no edges; add at least one");
  AgentId last = 0;
  for (const auto& [a, b] : links) last = std::max({last, a, b});
  return std::size_t{last} + 1;
}

std::string to_string(const Topology& topology) {
  switch (topology.kind) {
    case Topology::Kind::complete:
      return "complete";
    case Topology::Kind::regular:
      return fmt::format("regular:{}", topology.degree);
    case Topology::Kind::tree:
      return fmt::format("tree:{}", topology.degree);
    case Topology::Kind::geometric:
      return fmt::format("geometric:{}", topology.radius);
    case Topology::Kind::edges:
      return fmt::format("edges:{}", topology.file.string());
    case Topology::Kind::given:
      return "the given graph";
    case Topology::Kind::ring:
      break;
  }
  return fmt::format("ring:{}", topology.degree);
}

Graph parse_topology(const std::string& text, std::size_t agents, std::uint64_t seed) {
  return parse_topology(text).graph(agents, seed);
}

Topology usual_topology(std::size_t agents) {
  if (agents <= 5) return {.kind = Topology::Kind::complete};
  return {.kind = Topology::Kind::ring, .degree = 4};
}

}  // namespace tacit
