#include "tacit/graph/metropolis.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <optional>
#include <vector>

#include "tacit/base/error.hpp"

namespace tacit {
namespace {

constexpr std::uint64_t exact_limit = std::uint64_t{1} << 20;
constexpr std::uint64_t rounded_denominator = std::uint64_t{1} << 16;

// 1 / w_ij of eq (wij).
std::uint64_t inverse_weight(std::size_t degree_i, std::size_t degree_j) {
  return 2 * (1 + static_cast<std::uint64_t>(std::max(degree_i, degree_j)));
}

// Returns the least common multiple of all 1 / w_ij if it is below the limit.
std::optional<std::uint64_t> common_denominator(const Graph& graph) {
  std::vector<bool> seen(graph.max_degree() + 1, false);
  std::uint64_t result = 1;
  for (const auto& [i, j] : graph.edge_list()) {
    const std::size_t degree = std::max(graph.degree(i), graph.degree(j));
    if (seen[degree]) continue;
    seen[degree] = true;
    result = std::lcm(result, inverse_weight(degree, degree));
    if (result >= exact_limit) return std::nullopt;
  }
  return result;
}

}  // namespace

std::uint64_t metropolis_weight(std::uint64_t denominator, bool exact, std::size_t degree_i,
                                std::size_t degree_j) {
  const std::uint64_t inverse = inverse_weight(degree_i, degree_j);
  const std::uint64_t weight = denominator / inverse;
  if (weight == 0 || (exact && denominator % inverse != 0)) {
    throw InputError(
        fmt::format("Agents with {} and {} neighbours have weight 1/{}, which is not a multiple of L_w = "
                    "1/{}; use a multiple of {} for 1/L_w.",
                    degree_i, degree_j, inverse, denominator, inverse));
  }
  return weight;
}

MetropolisWeights::MetropolisWeights(const Graph& graph) : graph_(graph) {
  if (const auto common = common_denominator(graph)) {
    denominator_ = *common;
    return;
  }
  exact_ = false;
  denominator_ = rounded_denominator;
  if (inverse_weight(graph.max_degree(), 0) > denominator_) {
    throw InputError(
        fmt::format("An agent has {} neighbours, for which weights in steps of 1/{} are too coarse; use a "
                    "graph of degree at most {}.",
                    graph.max_degree(), denominator_, denominator_ / 2 - 1));
  }
}

MetropolisWeights::MetropolisWeights(const Graph& graph, std::uint64_t denominator)
    : graph_(graph), denominator_(denominator) {
  if (denominator == 0) throw InputError("1/L_w is 0; use a whole number of at least 1.");
  for (const auto& [i, j] : graph.edge_list()) {
    const std::uint64_t inverse = inverse_weight(graph.degree(i), graph.degree(j));
    if (denominator % inverse == 0) continue;
    const auto common = common_denominator(graph);
    throw InputError(fmt::format(
        "The weight 1/{} of edge {}-{} is not a multiple of L_w = 1/{}; {}.", inverse, i, j, denominator,
        common ? fmt::format("use {} or a multiple of it for 1/L_w", *common)
               : std::string("do not set 1/L_w, as this graph needs rounded weights")));
  }
}

std::uint64_t MetropolisWeights::between(AgentId i, AgentId j) const {
  if (i != j) {
    return graph_.adjacent(i, j) ? metropolis_weight(denominator_, exact_, graph_.degree(i), graph_.degree(j))
                                 : 0;
  }
  std::uint64_t left = denominator_;
  for (AgentId l : graph_.neighbours(i)) {
    left -= metropolis_weight(denominator_, exact_, graph_.degree(i), graph_.degree(l));
  }
  return left;
}

}  // namespace tacit
