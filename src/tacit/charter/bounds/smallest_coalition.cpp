#include "tacit/charter/bounds/smallest_coalition.hpp"

#include <algorithm>
#include <functional>
#include <map>
#include <set>

#include "tacit/charter/bounds/trajectory.hpp"

namespace tacit {
namespace {

using Visit = std::function<bool(const Coalition&)>;  // returns true to end the search

// All subsets of `size` of the ascending `items`, each joined with `set`.
bool all_subsets(const std::vector<AgentId>& items, std::size_t size, std::size_t from, Coalition& set,
                 const Visit& visit) {
  if (size == 0) {
    Coalition sorted = set;
    std::sort(sorted.begin(), sorted.end());
    return visit(sorted);
  }
  for (std::size_t k = from; k + size <= items.size(); ++k) {
    set.push_back(items[k]);
    const bool end = all_subsets(items, size - 1, k + 1, set, visit);
    set.pop_back();
    if (end) return true;
  }
  return false;
}

std::vector<AgentId> others(const Graph& graph, const Coalition& without) {
  std::vector<AgentId> rest;
  for (AgentId i = 0; i < graph.agents(); ++i)
    if (!is_member(without, i)) rest.push_back(i);
  return rest;
}

// The neighbours of the agent and their neighbours.
std::set<AgentId> within_two(const Graph& graph, AgentId agent) {
  std::set<AgentId> near;
  for (AgentId j : graph.neighbours(agent)) {
    near.insert(j);
    for (AgentId k : graph.neighbours(j)) near.insert(k);
  }
  near.erase(agent);
  return near;
}

// All sets of `size` agents whose members reach each other by steps of at most two hops. To visit each set
// once, a set grows from its lowest agent, and an agent that was passed over is not taken later.
bool grown(const Graph& graph, std::size_t size, Coalition& set, std::set<AgentId> next,
           const std::set<AgentId>& passed, const Visit& visit) {
  if (set.size() == size) {
    Coalition sorted = set;
    std::sort(sorted.begin(), sorted.end());
    return visit(sorted);
  }
  while (!next.empty()) {
    const AgentId taken = *next.begin();
    next.erase(next.begin());
    std::set<AgentId> then = next, seen = passed;
    for (AgentId i : within_two(graph, taken))
      if (i > set.front() && seen.insert(i).second) then.insert(i);
    set.push_back(taken);
    const bool end = grown(graph, size, set, std::move(then), seen, visit);
    set.pop_back();
    if (end) return true;
  }
  return false;
}

bool all_near(const Graph& graph, std::size_t size, const Visit& visit) {
  for (AgentId start = 0; start < graph.agents(); ++start) {
    std::set<AgentId> next = within_two(graph, start);
    next.erase(next.begin(), next.upper_bound(start));
    std::set<AgentId> passed = next;
    passed.insert(start);
    Coalition set{start};
    if (grown(graph, size, set, std::move(next), passed, visit)) return true;
  }
  return false;
}

// All sets of `size` agents that contain all neighbours of an agent outside the set.
bool all_around(const Graph& graph, std::size_t size, const Visit& visit) {
  for (AgentId k = 0; k < graph.agents(); ++k) {
    if (graph.degree(k) > size) continue;
    const auto near = graph.neighbours(k);
    Coalition set(near.begin(), near.end()), taken = set;
    taken.insert(std::lower_bound(taken.begin(), taken.end(), k), k);
    if (all_subsets(others(graph, taken), size - set.size(), 0, set, visit)) return true;
  }
  return false;
}

// The noise of blinding cancels only in sums over whole parts of the graph without the coalition. An agent is
// a part of its own if the coalition contains all its neighbours.
bool surrounded(const Graph& graph, const Coalition& coalition, AgentId agent) {
  const auto near = graph.neighbours(agent);
  return std::all_of(near.begin(), near.end(), [&](AgentId j) { return is_member(coalition, j); });
}

class Search {
 public:
  Search(const MetropolisWeights& weights, const WeakestQuestion& question)
      : weights_(weights), question_(question), graph_(weights.graph()) {}

  Weakest one_round() {
    // An agent of least degree and all but one of its neighbours always have the value of the last neighbour,
    // unless it is blinded. So the search ends at this size.
    AgentId centre = 0;
    for (AgentId i = 1; i < graph_.agents(); ++i)
      if (graph_.degree(i) < graph_.degree(centre)) centre = i;
    const std::size_t least = graph_.degree(centre);
    const auto visit = [&](const Coalition& coalition) { return exposes_in_one_round(coalition); };
    if (question_.blinded) return around(visit);
    const auto near = graph_.neighbours(centre);
    Coalition last(near.begin() + 1, near.end());
    last.insert(std::lower_bound(last.begin(), last.end(), centre), centre);
    // Parts of a coalition whose neighbourhoods do not overlap have views without a common value, so one of
    // the parts would suffice. Therefore a smallest coalition has only one part.
    return by_size(
        1, least, [&](std::size_t size) { return all_near(graph_, size, visit); },
        Exposure{std::move(last), near.front()});
  }

  Weakest all_rounds(const Weakest& before) {
    const auto visit = [&](const Coalition& coalition) { return exposes_in_all_rounds(coalition); };
    Weakest found;
    if (question_.blinded) {
      found = around(visit);
    } else {
      const auto everywhere = [&](std::size_t size) {
        Coalition none;
        return all_subsets(others(graph_, {}), size, 0, none, visit);
      };
      found = by_size(1, before.exposure ? before.exposure->coalition.size() : graph_.agents() - 1,
                      everywhere, before.exposure);
    }
    // What one round reveals is part of what all rounds reveal.
    if (before.exposure && found.withstands > before.withstands) found = before;
    return found;
  }

 private:
  template <class Level>
  Weakest by_size(std::size_t from, std::size_t to, const Level& level, std::optional<Exposure> at_the_end) {
    const std::size_t most = graph_.agents() - 2;
    // On a complete graph, all members receive the same sum in every round.
    if (graph_.complete()) return {most, std::nullopt, true};
    for (std::size_t size = from; size < to && size <= most; ++size) {
      if (!level(size)) continue;
      return {size - 1, found_, found_.has_value()};
    }
    if (to > most) return {most, std::nullopt, true};
    return {to - 1, std::move(at_the_end), true};
  }

  // With blinding, only agents that a coalition surrounds are exposed.
  template <class Function>
  Weakest around(const Function& visit) {
    std::size_t least = graph_.agents();
    for (AgentId i = 0; i < graph_.agents(); ++i) least = std::min(least, graph_.degree(i));
    return by_size(
        least, graph_.agents() - 1, [&](std::size_t size) { return all_around(graph_, size, visit); },
        std::nullopt);
  }

  // Spends part of the allowed work. Returns false if none is left, which ends the search without a result.
  bool spend(double work) { return (work_ += work) <= question_.most_work; }

  bool exposes_in_one_round(const Coalition& coalition) {
    std::vector<MaskPart> parts;
    std::vector<AgentId> owner;
    std::map<AgentId, std::size_t> place;  // columns of the honest agents that appear in sums
    double terms = 0;
    for (AgentId i : coalition)
      for (MaskPart& part : mask_parts(graph_, question_.masks, i, coalition)) {
        std::erase_if(part, [&](AgentId j) { return j >= graph_.agents(); });  // helpers have no value
        if (part.empty()) continue;
        for (AgentId j : part) place.emplace(j, 0);
        terms += static_cast<double>(part.size());
        parts.push_back(std::move(part));
        owner.push_back(i);
      }
    const double rows = static_cast<double>(parts.size()), columns = static_cast<double>(place.size());
    if (!spend(rows * rows * columns + 20 * terms + 100)) return true;
    std::vector<AgentId> agents;
    for (auto& [agent, at] : place) {
      at = agents.size();
      agents.push_back(agent);
    }
    Span view(agents.size());
    for (std::size_t k = 0; k < parts.size(); ++k) {
      Functional row(agents.size(), 0);
      for (AgentId j : parts[k]) row[place[j]] = weights_.between(owner[k], j);
      view.add(std::move(row));
    }
    // A value is determined if its row of the reduced basis has no other nonzero entry.
    for (const Functional& row : view.rows()) {
      if (std::count(row.begin(), row.end(), Residue{0}) + 1 != static_cast<std::ptrdiff_t>(row.size()))
        continue;
      const auto one = std::find_if(row.begin(), row.end(), [](Residue r) { return r != 0; });
      if (expose(coalition, agents[static_cast<std::size_t>(one - row.begin())])) return true;
    }
    return false;
  }

  bool exposes_in_all_rounds(const Coalition& coalition) {
    const double n = static_cast<double>(graph_.agents());
    if (!spend(n * n * n / 2 + 100 * n)) return true;
    const Observer observer = observe(weights_, question_.masks, coalition);
    const auto found = trajectory_findings(observer, question_.blinded, question_.iterations);
    return std::any_of(found.singled_out.begin(), found.singled_out.end(),
                       [&](AgentId agent) { return expose(coalition, agent); });
  }

  bool expose(const Coalition& coalition, AgentId agent) {
    if (question_.blinded && !surrounded(graph_, coalition, agent)) return false;
    found_ = Exposure{coalition, agent};
    return true;
  }

  const MetropolisWeights& weights_;
  const WeakestQuestion& question_;
  const Graph& graph_;
  double work_ = 0;
  std::optional<Exposure> found_;
};

}  // namespace

Weakest weakest_in_one_round(const MetropolisWeights& weights, const WeakestQuestion& question) {
  return Search(weights, question).one_round();
}

Weakest weakest_in_all_rounds(const MetropolisWeights& weights, const WeakestQuestion& question,
                              const Weakest& in_one_round) {
  return Search(weights, question).all_rounds(in_one_round);
}

}  // namespace tacit
