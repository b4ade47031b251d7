#include "tacit/protocol/run/gathering.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <deque>
#include <functional>
#include <numeric>

#include "tacit/base/error.hpp"

namespace tacit {
namespace {

constexpr std::size_t far = SIZE_MAX;

// The number of links from `source` to every agent, over links within the roster; `far` if there is no path.
std::vector<std::size_t> distances(const Gathering& gathering, AgentId source) {
  std::vector<std::size_t> steps(gathering.graph.agents(), far);
  steps[source] = 0;
  for (std::deque<AgentId> next{source}; !next.empty(); next.pop_front())
    for (const AgentId j : gathering.graph.neighbours(next.front()))
      if (steps[j] == far && gathering.takes_part(j)) {
        steps[j] = steps[next.front()] + 1;
        next.push_back(j);
      }
  return steps;
}

}  // namespace

Gathering::Gathering(const Graph& links) : roster(links.agents()), graph(links) {
  std::iota(roster.begin(), roster.end(), AgentId{0});
}

Gathering::Gathering(std::vector<AgentId> who, Graph links)
    : roster(std::move(who)), graph(std::move(links)) {
  if (roster.empty() || roster.back() >= graph.agents() ||
      std::ranges::adjacent_find(roster, std::greater_equal{}) != roster.end())
    throw Error("the roster must list existing agents in ascending order, each once");
}

bool Gathering::takes_part(AgentId agent) const { return std::ranges::binary_search(roster, agent); }

std::size_t Gathering::place(AgentId agent) const {
  const auto at = std::ranges::lower_bound(roster, agent);
  if (at == roster.end() || *at != agent)
    throw Error(fmt::format("agent {} does not take part in this run", agent));
  return static_cast<std::size_t>(at - roster.begin());
}

namespace {

PathTree make_tree(const Gathering& gathering, AgentId source) {
  if (!gathering.takes_part(source))
    throw Error(fmt::format("agent {} does not take part in this run", source));
  const Graph& graph = gathering.graph;
  const std::vector<std::size_t> steps = distances(gathering, source);
  PathTree tree;
  std::vector<AgentId>& nearest_first = tree.nearest;
  std::ranges::copy_if(gathering.roster, std::back_inserter(nearest_first),
                       [&](AgentId agent) { return steps[agent] != far; });
  std::ranges::stable_sort(nearest_first, {}, [&](AgentId agent) { return steps[agent]; });
  tree.level.resize(graph.agents());
  tree.parent.resize(graph.agents(), source);
  tree.place.resize(graph.agents());
  tree.branch.resize(graph.agents());
  for (const AgentId agent : nearest_first) {
    tree.branch[agent] = 1;
    tree.level[agent] = static_cast<std::uint32_t>(steps[agent]);
    if (agent == source) continue;
    const auto near = graph.neighbours(agent);
    tree.parent[agent] = *std::ranges::find_if(near, [&](AgentId j) { return steps[j] + 1 == steps[agent]; });
  }
  for (std::size_t k = nearest_first.size(); k-- > 1;)
    tree.branch[tree.parent[nearest_first[k]]] += tree.branch[nearest_first[k]];

  tree.walk.resize(nearest_first.size());
  std::vector<std::uint32_t> taken(graph.agents(),
                                   1);  // for each agent: itself, and its children's branches so far
  for (const AgentId agent : nearest_first) {
    if (agent != source) {
      std::uint32_t& before = taken[tree.parent[agent]];
      tree.place[agent] = tree.place[tree.parent[agent]] + before;
      before += tree.branch[agent];
    }
    tree.walk[tree.place[agent]] = agent;
  }
  return tree;
}

}  // namespace

const PathTree& Gathering::tree(AgentId source) const {
  const std::lock_guard lock(trees_->guard);
  const auto known = trees_->by_source.find(source);
  if (known != trees_->by_source.end()) return known->second;
  return trees_->by_source.emplace(source, make_tree(*this, source)).first->second;
}

const Gathering& Gathering::without(const std::vector<AgentId>& gone) const {
  const std::lock_guard lock(trees_->guard);
  const auto known = trees_->without.find(gone);
  if (known != trees_->without.end()) return *known->second;
  std::vector<AgentId> rest;
  std::ranges::set_difference(roster, gone, std::back_inserter(rest));
  auto made = std::make_shared<const Gathering>(std::move(rest), graph);
  return *trees_->without.emplace(gone, std::move(made)).first->second;
}

std::vector<AgentId> unreachable(const Gathering& gathering, AgentId from) {
  const std::vector<std::size_t> steps = distances(gathering, from);
  std::vector<AgentId> cut_off;
  std::ranges::copy_if(gathering.roster, std::back_inserter(cut_off),
                       [&](AgentId agent) { return steps[agent] == far; });
  return cut_off;
}

const std::vector<AgentId>& Routes::others() {
  if (!others_.empty() || gathering_.roster.size() < 2) return others_;
  const std::vector<std::size_t> steps = distances(gathering_, self_);
  for (const AgentId j : gathering_.roster) {
    if (steps[j] == far) throw Error(fmt::format("there is no path from agent {} to agent {}", self_, j));
    if (j != self_) others_.push_back(j);
  }
  std::ranges::stable_sort(others_, {}, [&](AgentId j) { return steps[j]; });
  return others_;
}

const Routes::Place& Routes::place(AgentId source) {
  const auto known = places_.find(source);
  if (known != places_.end()) return known->second;
  const PathTree& tree = gathering_.tree(source);
  if (tree.branch[self_] == 0)
    throw Error(fmt::format("there is no path from agent {} to agent {}", source, self_));
  Place here{tree.parent[self_], {}};
  for (const AgentId j : gathering_.graph.neighbours(self_))
    if (tree.branch[j] > 0 && tree.parent[j] == self_ && j != source) here.children.push_back(j);
  return places_.emplace(source, std::move(here)).first->second;
}

}  // namespace tacit
