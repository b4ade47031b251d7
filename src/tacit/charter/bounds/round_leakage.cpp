#include "tacit/charter/bounds/round_leakage.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "tacit/base/error.hpp"

namespace tacit {
namespace {

// Σ_{j in part} w̄_ij Q(z_j).
Functional weighted_sum(const MetropolisWeights& weights, AgentId i, const MaskPart& part) {
  Functional sum(weights.graph().agents(), 0);
  for (AgentId j : part) sum[j] = weights.between(i, j);
  return sum;
}

MaskPart honest_neighbours(const Graph& graph, AgentId i, const Coalition& coalition) {
  MaskPart honest;
  for (AgentId j : graph.neighbours(i))
    if (!is_member(coalition, j)) honest.push_back(j);
  return honest;
}

}  // namespace

void check_coalition_size(const Graph& graph, std::size_t size) {
  if (size == 0 || size >= graph.agents())
    throw InputError(
        fmt::format("coalitions of {} out of {} agents cannot be examined; `size` must be from 1 to {}", size,
                    graph.agents(), graph.agents() - 1));
}

void check_coalition(const Graph& graph, const Coalition& coalition) {
  if (coalition.empty()) throw InputError("the coalition is empty; name at least one agent (`coalition`)");
  for (std::size_t k = 0; k < coalition.size(); ++k) {
    if (coalition[k] >= graph.agents())
      throw InputError(fmt::format("agent {} of the coalition is not in the graph, whose agents are 0 to {}",
                                   coalition[k], graph.agents() - 1));
    if (k > 0 && coalition[k] <= coalition[k - 1])
      throw InputError(
          fmt::format("the coalition names agent {} twice or not in ascending order", coalition[k]));
  }
  if (coalition.size() == graph.agents())
    throw InputError("the coalition contains all agents; leave out at least one (`coalition`)");
}

std::vector<MaskPart> parts_without(const Graph& graph, const Coalition& coalition) {
  std::vector<MaskPart> parts;
  std::vector<bool> done(graph.agents(), false);
  for (AgentId c : coalition) done[c] = true;
  for (AgentId start = 0; start < graph.agents(); ++start) {
    if (done[start]) continue;
    done[start] = true;
    MaskPart part{start};
    for (std::size_t next = 0; next < part.size(); ++next)
      for (AgentId j : graph.neighbours(part[next])) {
        if (done[j]) continue;
        done[j] = true;
        part.push_back(j);
      }
    std::sort(part.begin(), part.end());
    parts.push_back(std::move(part));
  }
  return parts;
}

std::vector<MaskPart> mask_parts(const Graph& graph, MaskMakers masks, AgentId aggregator,
                                 const Coalition& coalition) {
  const Graph& makers = masks.on(graph);
  MaskPart left = honest_neighbours(makers, aggregator, coalition);
  if (left.empty()) return {};
  if (masks.source == MaskSource::seeded) return {left};
  std::vector<MaskPart> parts;
  while (!left.empty()) {
    MaskPart part{left.front()};
    left.erase(left.begin());
    for (std::size_t next = 0; next < part.size(); ++next) {
      const auto stays = std::stable_partition(left.begin(), left.end(),
                                               [&](AgentId j) { return !makers.adjacent(part[next], j); });
      part.insert(part.end(), stays, left.end());
      left.erase(stays, left.end());
    }
    std::erase_if(part, [&](AgentId j) { return j >= graph.agents(); });
    std::sort(part.begin(), part.end());
    if (!part.empty()) parts.push_back(std::move(part));
  }
  return parts;
}

std::vector<BrokenSum> broken_sums(const Graph& graph, MaskMakers masks, const Coalition& coalition) {
  std::vector<BrokenSum> broken;
  for (AgentId i : coalition) {
    if (i >= graph.agents()) continue;  // a helper receives no sum
    auto parts = mask_parts(graph, masks, i, coalition);
    if (parts.size() > 1) broken.push_back({i, std::move(parts)});
  }
  return broken;
}

Span round_outputs(const MetropolisWeights& weights, const Coalition& coalition) {
  Span outputs(weights.graph().agents());
  for (AgentId i : coalition)
    if (i < weights.graph().agents())
      outputs.add(weighted_sum(weights, i, honest_neighbours(weights.graph(), i, coalition)));
  return outputs;
}

Span round_view(const MetropolisWeights& weights, MaskMakers masks, const Coalition& coalition) {
  Span view(weights.graph().agents());
  for (AgentId i : coalition)
    for (const MaskPart& part : i < weights.graph().agents()
                                    ? mask_parts(weights.graph(), masks, i, coalition)
                                    : std::vector<MaskPart>())
      view.add(weighted_sum(weights, i, part));
  return view;
}

namespace {

// The masks of one aggregator as linear forms in the random draws. Masks of different aggregators share no
// randomness, so each aggregator can be eliminated separately.
struct MaskForms {
  std::vector<std::vector<std::pair<std::size_t, std::int64_t>>> known;       // forms that the coalition sees
  std::map<AgentId, std::vector<std::pair<std::size_t, std::int64_t>>> mask;  // φ_ij by j
  std::size_t unknowns = 0;
};

// (jshare), (ishare): j draws a share for each l of its circle and keeps the negative of their sum.
MaskForms masks_of_shares(const Graph& graph, AgentId i, const Coalition& coalition) {
  MaskForms forms;
  const auto take_part = [&](AgentId j) {
    const auto here = neighbourhood(graph, j);
    for (AgentId l : here.circle(i)) {
      const std::size_t s = forms.unknowns++;  // s^i_{j→l}
      forms.mask[l].emplace_back(s, 1);
      forms.mask[j].emplace_back(s, -1);  // in the share that j keeps
      if (is_member(coalition, j) || is_member(coalition, l)) forms.known.push_back({{s, 1}});
    }
  };
  take_part(i);
  for (AgentId j : graph.neighbours(i)) take_part(j);
  return forms;
}

// Each pair in N_i⁺ has a stream, which one adds and the other subtracts.
MaskForms seeded_masks(const Graph& graph, AgentId i, const Coalition& coalition) {
  MaskForms forms;
  const auto near = graph.neighbours(i);
  std::vector<AgentId> all(near.begin(), near.end());
  all.push_back(i);
  for (std::size_t a = 0; a < all.size(); ++a)
    for (std::size_t b = a + 1; b < all.size(); ++b) {
      const std::size_t stream = forms.unknowns++;
      forms.mask[all[a]].emplace_back(stream, 1);
      forms.mask[all[b]].emplace_back(stream, -1);
      if (is_member(coalition, all[a]) || is_member(coalition, all[b])) forms.known.push_back({{stream, 1}});
    }
  return forms;
}

}  // namespace

Span round_view_by_elimination(const MetropolisWeights& weights, MaskMakers masks,
                               const Coalition& coalition) {
  const std::size_t agents = weights.graph().agents();
  const Graph& graph = masks.on(weights.graph());
  Span view(agents);
  for (AgentId i : coalition) {
    if (i >= agents) continue;
    // Only i receives ζ_ij of (theta). Without it, shares reveal nothing about inputs.
    const MaskForms forms = masks.source == MaskSource::shares ? masks_of_shares(graph, i, coalition)
                                                               : seeded_masks(graph, i, coalition);
    // Randomness is in the first columns, inputs in the last: rows with a pivot in the last contain no
    // randomness.
    Span equations(forms.unknowns + agents);
    const auto row_of = [&](const auto& form) {
      Functional row(equations.width(), 0);
      for (const auto& [unknown, factor] : form) row[unknown] = add(row[unknown], residue(factor));
      return row;
    };
    for (const auto& form : forms.known) equations.add(row_of(form));
    for (AgentId j : graph.neighbours(i)) {
      Functional zeta = row_of(forms.mask.at(j));
      if (!is_member(coalition, j) && j < agents) zeta[forms.unknowns + j] = weights.between(i, j);
      equations.add(std::move(zeta));
    }
    for (std::size_t r = 0; r < equations.rank(); ++r)
      if (equations.pivots()[r] >= forms.unknowns) {
        const Functional& row = equations.rows()[r];
        view.add(Functional(row.begin() + static_cast<std::ptrdiff_t>(forms.unknowns), row.end()));
      }
  }
  return view;
}

}  // namespace tacit
