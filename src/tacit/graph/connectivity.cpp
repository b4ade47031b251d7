#include "tacit/graph/connectivity.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cstdint>
#include <limits>

#include "tacit/base/error.hpp"
#include "tacit/base/simd.hpp"
#include "tacit/base/stop.hpp"
#include "tacit/graph/igraph_bridge.hpp"

namespace tacit {
namespace {

std::optional<AgentId> out_of_reach(const Graph& graph) {
  std::vector<bool> reached(graph.agents(), false);
  std::vector<AgentId> queue{0};
  reached[0] = true;
  for (std::size_t next = 0; next < queue.size(); ++next) {
    for (AgentId j : graph.neighbours(queue[next])) {
      if (reached[j]) continue;
      reached[j] = true;
      queue.push_back(j);
    }
  }
  const auto missing = std::find(reached.begin(), reached.end(), false);
  if (missing == reached.end()) return std::nullopt;
  return static_cast<AgentId>(missing - reached.begin());
}

}  // namespace

bool connected(const Graph& graph) { return !out_of_reach(graph); }

void check_connected(const Graph& graph) {
  if (const auto agent = out_of_reach(graph)) {
    throw InputError(
        fmt::format("The graph is not connected: agent 0 cannot reach agent {}; add edges, or use a topology "
                    "that is always connected, such as ring:4.",
                    *agent));
  }
}

bool connected_without_any_one(const Graph& graph) {
  return connected(graph) && igraph_bridge::cut_agents(graph.agents(), graph.edge_list()).empty();
}

std::optional<Edge> edge_without_triangle(const Graph& graph) {
  const auto common = common_neighbours(graph);
  const auto at = std::find(common.begin(), common.end(), 0u);
  if (at == common.end()) return std::nullopt;
  return graph.edge_list()[static_cast<std::size_t>(at - common.begin())];
}

void check_triangles(const Graph& graph) {
  if (const auto edge = edge_without_triangle(graph)) {
    throw InputError(
        fmt::format("Agents {} and {} are neighbours without a common neighbour, so each could remove the "
                    "other's masks: every edge must lie in a triangle; join both to a third agent, or use "
                    "ring:4 or complete with at least three agents.",
                    edge->first, edge->second));
  }
}

std::size_t collusion_bound_paper(const Graph& graph) {
  const auto common = common_neighbours(graph);
  // N_i⁺ ∩ N_j⁺ consists of i, j and their common neighbours.
  return common.empty() ? 0 : *std::min_element(common.begin(), common.end());
}

namespace {

// A set of up to 64 * size() agents, one bit each.
using Bits = std::vector<std::uint64_t>;

TACIT_SIMD std::size_t count_either(const Bits& a, const Bits& b) {
  std::size_t total = 0;
  for (std::size_t w = 0; w < a.size(); ++w) total += static_cast<std::size_t>(std::popcount(a[w] | b[w]));
  return total;
}

// G[N_i], with its agents numbered by their index in N_i.
class Circle {
 public:
  Circle(const Graph& graph, AgentId centre)
      : size_(graph.degree(centre)), rows_(size_, Bits((size_ + 63) / 64, 0)), partner_(size_) {
    const auto members = graph.neighbours(centre);
    for (std::size_t a = 0; a < size_; ++a) {
      const auto theirs = graph.neighbours(members[a]);
      for (std::size_t b = 0, t = 0; b < size_ && t < theirs.size();) {
        if (members[b] == theirs[t]) rows_[a][b / 64] |= bit(b);
        members[b] < theirs[t] ? ++b : ++t;
      }
    }
  }

  std::size_t size() const { return size_; }
  bool joined(std::size_t a, std::size_t b) const { return (rows_[a][b / 64] & bit(b)) != 0; }
  std::size_t degree(std::size_t a) const { return count(rows_[a]); }

  std::vector<Edge> edges() const {
    std::vector<Edge> list;
    for (AgentId a = 0; a < size_; ++a) {
      for (AgentId b = a + 1; b < size_; ++b) {
        if (joined(a, b)) list.emplace_back(a, b);
      }
    }
    return list;
  }

  /// If true, fewer than `k` agents cannot separate the circle, given that each has k or more neighbours.
  /// Proof: with a smaller separator, the smaller side and the separator together have at most
  /// (n + k - 1) / 2 agents. They include two adjacent agents of that side and all neighbours of these two.
  bool dense(std::size_t k) const {
    for (std::size_t a = 0; a < size_; ++a) {
      for (std::size_t b = a + 1; b < size_; ++b) {
        if (!joined(a, b)) continue;
        if (2 * count_either(rows_[a], rows_[b]) <= size_ + k - 1) return false;
      }
    }
    return true;
  }

  /// Returns whether there are `enough` disjoint paths from a to b through one or two other agents. Paths
  /// through one agent are the common neighbours. Paths through two are a matching between the agents that
  /// are neighbours of a only and those that are neighbours of b only.
  bool short_paths(std::size_t a, std::size_t b, std::size_t enough) {
    Bits near_a = rows_[a], near_b = rows_[b];
    for (std::size_t w = 0; w < near_a.size(); ++w) {
      const std::uint64_t both = near_a[w] & near_b[w];
      near_a[w] &= ~both;
      near_b[w] &= ~both;
    }
    std::size_t hopes = count(near_a);
    std::size_t paths = degree(a) - hopes;
    free_ = near_b;
    for (std::size_t l = 0; l < size_ && paths < enough && paths + hopes >= enough; ++l) {
      if ((near_a[l / 64] & bit(l)) == 0) continue;
      --hopes;
      bool matched = take(l);
      if (!matched) {
        untried_ = near_b;
        matched = displace(l);
      }
      if (matched) ++paths;
    }
    return paths >= enough;
  }

 private:
  static std::uint64_t bit(std::size_t a) { return std::uint64_t{1} << (a % 64); }
  static std::size_t count(const Bits& bits) { return count_either(bits, bits); }

  // Matches l with a free partner.
  bool take(std::size_t l) {
    for (std::size_t w = 0; w < free_.size(); ++w) {
      if (const std::uint64_t found = rows_[l][w] & free_[w]) {
        const auto m = 64 * w + static_cast<std::size_t>(std::countr_zero(found));
        free_[w] &= ~bit(m);
        partner_[m] = l;
        return true;
      }
    }
    return false;
  }

  // Matches l with the partner of another agent that finds a new partner (an augmenting path).
  bool displace(std::size_t l) {
    for (std::size_t w = 0; w < untried_.size(); ++w) {
      while (const std::uint64_t found = rows_[l][w] & untried_[w]) {
        const auto m = 64 * w + static_cast<std::size_t>(std::countr_zero(found));
        untried_[w] &= ~bit(m);
        if (!take(partner_[m]) && !displace(partner_[m])) continue;
        partner_[m] = l;
        return true;
      }
    }
    return false;
  }

  std::size_t size_;
  std::vector<Bits> rows_;
  std::vector<std::size_t> partner_;  // of the matched neighbours of b
  Bits free_, untried_;
};

// min(κ(circle), bound), and, if κ is below the bound, two agents that κ others separate.
struct Separation {
  std::size_t size = 0;
  std::optional<std::pair<std::size_t, std::size_t>> ends;
};

// A smallest separator contains the agent v or not. If not, it separates v from an agent that is not adjacent
// to v. If it does, it separates two neighbours of v that are not adjacent to each other (Esfahanian and
// Hakimi). Only these pairs are examined; for a v of smallest degree they are few.
Separation separation(Circle& circle, std::size_t bound) {
  Separation found{bound, std::nullopt};
  if (circle.dense(bound)) return found;
  std::size_t v = 0;
  for (std::size_t a = 1; a < circle.size(); ++a) {
    if (circle.degree(a) < circle.degree(v)) v = a;
  }
  std::optional<igraph_bridge::Paths> paths;  // created when first needed, which is rare
  const auto look_at = [&](std::size_t a, std::size_t b) {
    if (circle.joined(a, b) || circle.short_paths(a, b, found.size)) return;
    if (!paths) paths.emplace(circle.size(), circle.edges());
    const std::size_t between = paths->disjoint(static_cast<AgentId>(a), static_cast<AgentId>(b));
    if (between < found.size) found = {between, std::pair(a, b)};
  };
  for (std::size_t a = 0; a < circle.size() && found.size > 0; ++a) {
    leave_if_stopped();
    if (a == v) continue;
    look_at(v, a);
    if (!circle.joined(v, a)) continue;
    for (std::size_t b = a + 1; b < circle.size(); ++b) {
      if (circle.joined(v, b)) look_at(a, b);
    }
  }
  return found;
}

}  // namespace

std::size_t collusion_bound(const Graph& graph) {
  // κ is at most the smallest degree, which gives the paper's bound. The search only has to find a lower
  // value.
  std::size_t bound = collusion_bound_paper(graph);
  if (graph.complete() || bound == 0) return bound;

  std::vector<std::size_t> smallest(graph.agents(), std::numeric_limits<std::size_t>::max());
  const auto common = common_neighbours(graph);
  const auto edges = graph.edge_list();
  for (std::size_t e = 0; e < edges.size(); ++e) {
    for (AgentId end : {edges[e].first, edges[e].second}) smallest[end] = std::min(smallest[end], common[e]);
  }
  for (AgentId i = 0; i < graph.agents() && bound > 0; ++i) {
    leave_if_stopped();
    // κ >= 2δ + 2 - n for smallest degree δ among n agents: dense neighbourhoods need no search.
    if (graph.degree(i) == 0 || 2 * smallest[i] + 2 >= graph.degree(i) + bound) continue;
    Circle circle(graph, i);
    bound = separation(circle, bound).size;
  }
  return bound;
}

bool linked(const Neighbourhood& known, std::span<const AgentId> members) {
  if (members.empty() || members.front() >= known.agents) return false;
  std::vector<bool> reached(members.size(), false);
  std::vector<std::size_t> queue{0};
  reached[0] = true;
  for (std::size_t next = 0; next < queue.size(); ++next) {
    const std::vector<AgentId> near = known.circle(members[queue[next]]);
    for (std::size_t k = 0; k < members.size(); ++k) {
      if (reached[k] || !std::binary_search(near.begin(), near.end(), members[k])) continue;
      reached[k] = true;
      queue.push_back(k);
    }
  }
  for (std::size_t k = 0; k < members.size() && members[k] < known.agents; ++k)
    if (!reached[k]) return false;
  return true;
}

namespace {

// Returns a smallest set, of `size` agents, that separates a and b. An agent belongs to such a set if one
// agent fewer is sufficient after its removal.
std::vector<std::size_t> separator(const Circle& circle, std::size_t a, std::size_t b, std::size_t size) {
  std::vector<std::size_t> chosen;
  std::vector<Edge> edges = circle.edges();
  for (std::size_t v = 0; v < circle.size() && chosen.size() < size; ++v) {
    if (v == a || v == b) continue;
    std::vector<Edge> without;
    for (const Edge& edge : edges)
      if (edge.first != v && edge.second != v) without.push_back(edge);
    const igraph_bridge::Paths paths(circle.size(), without);
    if (paths.disjoint(static_cast<AgentId>(a), static_cast<AgentId>(b)) + chosen.size() == size) continue;
    chosen.push_back(v);
    edges = std::move(without);
  }
  return chosen;
}

// Returns `bound` agents that separate a circle of more than bound + 1 agents, if there are such. Fewer
// agents never separate it.
std::optional<std::vector<std::size_t>> smallest_cut(Circle& circle, std::size_t bound) {
  for (std::size_t a = 0; a < circle.size(); ++a) {
    if (circle.degree(a) > bound) continue;
    std::vector<std::size_t> around;  // the neighbours of a separate it from the others
    for (std::size_t b = 0; b < circle.size(); ++b) {
      if (b != a && circle.joined(a, b)) around.push_back(b);
    }
    return around;
  }
  const Separation found = separation(circle, bound + 1);
  if (!found.ends) return std::nullopt;
  return separator(circle, found.ends->first, found.ends->second, found.size);
}

}  // namespace

std::size_t neighbourhood_connectivity(const Graph& graph, AgentId agent) {
  leave_if_stopped();
  Circle circle(graph, agent);
  std::size_t smallest = circle.size();
  for (std::size_t a = 0; a < circle.size(); ++a) smallest = std::min(smallest, circle.degree(a));
  // All are adjacent to each other: they cannot be separated, and κ is n - 1 by definition.
  if (smallest + 1 >= circle.size()) return smallest;
  return separation(circle, smallest).size;
}

std::optional<WeakestAgent> weakest_agent(const Graph& graph) {
  const std::size_t bound = collusion_bound(graph);
  for (AgentId i = 0; i < graph.agents(); ++i) {
    leave_if_stopped();
    const auto near = graph.neighbours(i);
    if (near.empty()) continue;
    if (near.size() == bound + 1)  // n neighbours have κ of at most n - 1
      return WeakestAgent{i, {near.begin(), near.end() - 1}};
    Circle circle(graph, i);
    const auto cut = smallest_cut(circle, bound);
    if (!cut) continue;
    WeakestAgent weakest{i, {}};
    for (std::size_t k : *cut) weakest.separator.push_back(near[k]);
    return weakest;
  }
  return std::nullopt;
}

}  // namespace tacit
