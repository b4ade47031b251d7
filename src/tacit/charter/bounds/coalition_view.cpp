#include "tacit/charter/bounds/coalition_view.hpp"

namespace tacit {
Observer observe(const MetropolisWeights& weights, MaskMakers masks, const Coalition& coalition) {
  const Graph& graph = weights.graph();
  check_coalition(graph, coalition);
  Observer o;
  o.denominator = weights.denominator();
  o.coalition = coalition;
  std::vector<bool> is_honest(graph.agents(), true);
  for (AgentId c : coalition) is_honest[c] = false;
  std::vector<std::size_t> place(graph.agents());  // index in `honest` or `coalition`
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
  o.parts = parts_without(graph, coalition);
  for (MaskPart& part : o.parts)
    for (AgentId& agent : part) agent = static_cast<AgentId>(place[agent]);
  return o;
}

}  // namespace tacit
