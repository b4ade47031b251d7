#include "tacit/protocol/gathering.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <deque>
#include <functional>
#include <numeric>

#include "tacit/base/error.hpp"

namespace tacit {
namespace {

constexpr std::size_t far = SIZE_MAX;

// Steps from `source` to every agent, over links between two of the roster; `far` where there is no way.
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
    throw Error("the list of who takes part must be in order, of agents that there are, each once");
}

bool Gathering::takes_part(AgentId agent) const { return std::ranges::binary_search(roster, agent); }

std::size_t Gathering::place(AgentId agent) const {
  const auto at = std::ranges::lower_bound(roster, agent);
  if (at == roster.end() || *at != agent) throw Error(fmt::format("agent {} takes no part in this", agent));
  return static_cast<std::size_t>(at - roster.begin());
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
    if (steps[j] == far) throw Error(fmt::format("there is no way from agent {} to agent {}", self_, j));
    if (j != self_) others_.push_back(j);
  }
  std::ranges::stable_sort(others_, {}, [&](AgentId j) { return steps[j]; });
  return others_;
}

const Routes::Place& Routes::place(AgentId source) {
  const auto known = places_.find(source);
  if (known != places_.end()) return known->second;
  const std::vector<std::size_t> steps = distances(gathering_, source);
  if (steps[self_] == far)
    throw Error(fmt::format("there is no way from agent {} to agent {}", source, self_));
  // Of the neighbours that are nearer, the one with the lowest id: the same choice for all.
  const auto nearer = [&](AgentId agent) {
    for (const AgentId j : gathering_.graph.neighbours(agent))
      if (steps[j] + 1 == steps[agent]) return j;
    return agent;  // the source
  };
  Place here{nearer(self_), {}};
  for (const AgentId j : gathering_.graph.neighbours(self_))
    if (steps[j] != far && steps[j] == steps[self_] + 1 && nearer(j) == self_) here.children.push_back(j);
  return places_.emplace(source, std::move(here)).first->second;
}

}  // namespace tacit
