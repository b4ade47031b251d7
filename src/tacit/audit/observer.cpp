#include "tacit/audit/observer.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "tacit/base/error.hpp"

namespace tacit {
namespace {

void check(const Graph& graph, const Coalition& coalition) {
  if (coalition.empty()) throw InputError("a coalition needs at least one agent (--coalition)");
  for (std::size_t k = 0; k < coalition.size(); ++k) {
    if (coalition[k] >= graph.agents())
      throw InputError(fmt::format("agent {} of the coalition is not in the graph, whose agents are 0 to {}",
                                   coalition[k], graph.agents() - 1));
    if (k > 0 && coalition[k] <= coalition[k - 1])
      throw InputError(
          fmt::format("agent {} is in the coalition twice, or not in ascending order", coalition[k]));
  }
  if (coalition.size() == graph.agents())
    throw InputError("a coalition of all agents leaves nobody to learn about; leave somebody out");
}

// Components of the graph without the coalition, honest agents counted by their place.
std::vector<MaskPart> parts_without(const Graph& graph, const std::vector<AgentId>& honest,
                                    const std::vector<std::size_t>& place,
                                    const std::vector<bool>& is_honest) {
  std::vector<MaskPart> parts;
  std::vector<bool> reached(honest.size(), false);
  for (std::size_t start = 0; start < honest.size(); ++start) {
    if (reached[start]) continue;
    MaskPart part{static_cast<AgentId>(start)};
    reached[start] = true;
    for (std::size_t next = 0; next < part.size(); ++next)
      for (AgentId j : graph.neighbours(honest[part[next]])) {
        if (!is_honest[j] || reached[place[j]]) continue;
        reached[place[j]] = true;
        part.push_back(static_cast<AgentId>(place[j]));
      }
    parts.push_back(std::move(part));
  }
  return parts;
}

}  // namespace

Observer observe(const MetropolisWeights& weights, MaskMakers masks, const Coalition& coalition) {
  const Graph& graph = weights.graph();
  check(graph, coalition);
  Observer o;
  o.denominator = weights.denominator();
  o.coalition = coalition;
  std::vector<bool> is_honest(graph.agents(), true);
  for (AgentId c : coalition) is_honest[c] = false;
  std::vector<std::size_t> place(graph.agents());  // in `honest` or `coalition`
  for (std::size_t k = 0; k < coalition.size(); ++k) place[coalition[k]] = k;
  for (AgentId i = 0; i < graph.agents(); ++i)
    if (is_honest[i]) {
      place[i] = o.honest.size();
      o.honest.push_back(i);
    }
  for (AgentId i : o.honest) {
    Observer::Sum inside{{place[i], weights.between(i, i)}}, outside;
    for (AgentId j : graph.neighbours(i))
      (is_honest[j] ? inside : outside).push_back({place[j], weights.between(i, j)});
    o.dynamics.push_back(std::move(inside));
    o.from_coalition.push_back(std::move(outside));
  }
  Span independent(o.honest.size());
  for (AgentId i : coalition)
    for (const MaskPart& part : mask_parts(graph, masks, i, coalition)) {
      Observer::Sum sum;
      Functional row(o.honest.size(), 0);
      for (AgentId j : part) {
        sum.push_back({place[j], weights.between(i, j)});
        row[place[j]] = weights.between(i, j);
      }
      if (!independent.add(std::move(row))) continue;
      o.seen.push_back(std::move(sum));
      o.aggregator.push_back(i);
    }
  o.parts = parts_without(graph, o.honest, place, is_honest);
  return o;
}

}  // namespace tacit
