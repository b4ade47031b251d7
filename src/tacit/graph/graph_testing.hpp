// Graphs for tests.
#pragma once

#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <initializer_list>
#include <random>
#include <string>
#include <vector>

#include "tacit/base/base_testing.hpp"
#include "tacit/graph/connectivity.hpp"
#include "tacit/graph/graph.hpp"

namespace tacit {

using testing::error_of;

/// Two triangles that share agent 0 (findings 1a).
inline Graph bow_tie() { return Graph(5, {{0, 1}, {0, 2}, {1, 2}, {0, 3}, {0, 4}, {3, 4}}); }

/// A strip of three triangles, whose end agent learns the initial value of every agent (findings 1b).
inline Graph strip() { return Graph(5, {{0, 1}, {0, 2}, {1, 2}, {1, 3}, {2, 3}, {2, 4}, {3, 4}}); }

/// A line of agents.
inline Graph path(AgentId agents) {
  std::vector<Edge> edges;
  for (AgentId i = 1; i < agents; ++i) edges.emplace_back(i - 1, i);
  return Graph(agents, edges);
}

/// Agent 0 joined to all others.
inline Graph star(AgentId agents) {
  std::vector<Edge> edges;
  for (AgentId i = 1; i < agents; ++i) edges.emplace_back(0, i);
  return Graph(agents, edges);
}

/// A graph in which each edge exists with the given probability.
inline Graph random_graph(std::size_t agents, unsigned percent, unsigned seed) {
  std::mt19937 random(seed);
  std::vector<Edge> edges;
  for (AgentId i = 0; i < agents; ++i) {
    for (AgentId j = i + 1; j < agents; ++j) {
      if (random() % 100 < percent) edges.emplace_back(i, j);
    }
  }
  return Graph(agents, edges);
}

/// Any graph of `fewest` to `most` agents, sparse or dense. For use inside rapidcheck properties only.
inline Graph any_graph(std::size_t fewest, std::size_t most) {
  const auto drawn = [](auto low, auto high) {  // uniform, independent of rapidcheck's size
    return *rc::gen::resize(rc::kNominalSize, rc::gen::inRange(low, high + 1));
  };
  const std::size_t agents = drawn(fewest, most);
  const unsigned percent = drawn(0u, 100u);
  return random_graph(agents, percent, drawn(0u, 1'000'000u));
}

/// As any_graph, with a tree added so that it is connected.
inline Graph any_connected_graph(std::size_t fewest, std::size_t most) {
  const Graph graph = any_graph(fewest, most);
  auto edges = graph.edge_list();
  std::mt19937 random(static_cast<unsigned>(graph.edges()));
  for (AgentId i = 1; i < graph.agents(); ++i) edges.emplace_back(static_cast<AgentId>(random() % i), i);
  return Graph(graph.agents(), edges);
}

/// Succeeds if an error message contains all these parts.
inline ::testing::AssertionResult mentions(const std::string& message,
                                           std::initializer_list<std::string> parts) {
  for (const auto& part : parts) {
    if (message.find(part) == std::string::npos) {
      return ::testing::AssertionFailure() << '"' << message << "\" does not mention \"" << part << '"';
    }
  }
  return ::testing::AssertionSuccess();
}

using Ids = std::vector<AgentId>;

/// A list of neighbours in a form that can be compared and printed.
inline Ids ids(std::span<const AgentId> span) { return {span.begin(), span.end()}; }

}  // namespace tacit
