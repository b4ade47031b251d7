#include "tacit/charter/bounds/audit.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "tacit/base/error.hpp"
#include "tacit/base/system/parallel.hpp"
#include "tacit/charter/bounds/advice.hpp"
#include "tacit/charter/bounds/estimate.hpp"
#include "tacit/graph/connectivity.hpp"

namespace tacit {
namespace {

// Limits that keep an audit below a minute: multiplications for exact ranks, and with a hundred digits.
constexpr double most_exact_work = 2e10, most_comparing_work = 1e7, most_searching_work = 1e9;
// The number of sums in the short attack that compares coalitions.
constexpr std::size_t short_attack = 60;
// In larger neighbourhoods, the check by elimination takes too long.
constexpr std::size_t most_neighbours_to_eliminate = 12;
constexpr std::size_t most_agents_to_advise = 150;

// The first `most` sets of 1 to `size` agents out of `agents`.
std::vector<Coalition> coalitions_up_to(std::size_t agents, std::size_t size, std::size_t most) {
  std::vector<Coalition> all;
  for (std::size_t k = 1; k <= size; ++k) {
    Coalition set(k);
    std::iota(set.begin(), set.end(), AgentId{0});
    for (;;) {
      if (all.size() == most) return all;
      all.push_back(set);
      std::size_t at = k;  // the last member that can move up; those after it follow directly
      while (at > 0 && set[at - 1] == agents - k + at - 1) --at;
      if (at == 0) break;
      ++set[at - 1];
      for (std::size_t next = at; next < k; ++next) set[next] = set[next - 1] + 1;
    }
  }
  return all;
}

double number_of_coalitions(std::size_t agents, std::size_t size) {
  double total = 0, sets = 1;
  for (std::size_t k = 1; k <= size; ++k) {
    sets = sets * static_cast<double>(agents - k + 1) / static_cast<double>(k);
    total += sets;
  }
  return total;
}

// The two computations of a round's view must agree; a difference is an error in this program.
std::size_t round_beyond(const MetropolisWeights& weights, MaskMakers masks, const Coalition& coalition) {
  const Span view = round_view(weights, masks, coalition);
  if (masks.on(weights.graph()).max_degree() <= most_neighbours_to_eliminate &&
      view != round_view_by_elimination(weights, masks, coalition))
    throw Error("internal error: two computations of a round's view disagree; please report the graph");
  return view.rank() - round_outputs(weights, coalition).rank();
}

CoalitionFindings examine(const MetropolisWeights& weights, MaskMakers masks, const AuditSettings& settings,
                          const Coalition& coalition) {
  CoalitionFindings found;
  found.coalition = coalition;
  const Observer observer = observe(weights, masks, coalition);
  found.broken = broken_sums(weights.graph(), masks, coalition);
  found.round_beyond = round_beyond(weights, masks, coalition);
  found.trajectory = trajectory_findings(observer, settings.hardening.blinding > 0, settings.iterations);
  return found;
}

AttackSettings short_attack_settings(const AttackSettings& settings) {
  AttackSettings attack = settings;
  attack.most_sums = short_attack;
  return attack;
}

double estimating_work(const Observer& observer, const AttackSettings& settings) {
  const double rounds = static_cast<double>(attack_rounds(observer, settings));
  const double rows = rounds * static_cast<double>(observer.seen.size()),
               n = static_cast<double>(observer.honest.size());
  // With acceleration, the rounding errors of each round must be followed separately.
  const double followed = settings.hardening.acceleration == Acceleration::none ? 1 : rounds / 3;
  return rows * rows * (n * (1.5 + followed) + rows / 6);
}

AttackErrors estimate_errors(Observer observer, const AuditSettings& settings,
                             const TrajectoryFindings& findings, std::size_t agents) {
  const std::vector<AgentId> honest = observer.honest;
  const TrajectoryAttack attack(std::move(observer), settings);
  AttackErrors errors;
  errors.agents.resize(agents);
  const auto each = attack.errors();
  for (std::size_t k = 0; k < honest.size(); ++k) errors.agents[honest[k]] = each[k];
  for (const auto& group : findings.only_together) {
    Combination sum;
    for (AgentId i : group) sum.terms.push_back({i, 1});
    errors.together.push_back(attack.error(sum));
  }
  errors.guess = attack.guess();
  errors.rounds = attack.rounds();
  return errors;
}

// What is stored of each coalition, as there can be many.
struct Ranked {
  Coalition coalition;
  std::size_t singled_out = 0, beyond = 0;
};

// Moves the coalition with the smallest error to the front. Compares as many as the work limit allows of
// those whose states determine most, or of all if none learns more than the sum. Returns the number compared.
std::size_t compare(const MetropolisWeights& weights, MaskMakers masks, const AuditSettings& settings,
                    std::vector<Ranked>& all, Progress& progress) {
  std::stable_sort(all.begin(), all.end(), [](const Ranked& a, const Ranked& b) {
    return std::pair(a.singled_out, a.beyond) > std::pair(b.singled_out, b.beyond);
  });
  const AttackSettings attack = short_attack_settings(settings);
  const auto observer = [&](std::size_t k) { return observe(weights, masks, all[k].coalition); };
  std::size_t compared = 1;
  double work = estimating_work(observer(0), attack);
  for (; compared < all.size() && (all[compared].beyond > 0) == (all[0].beyond > 0); ++compared) {
    work += estimating_work(observer(compared), attack);
    if (work > most_comparing_work) break;
  }
  if (compared == 1) return 1;
  std::vector<double> smallest(compared);
  progress.begin("comparing coalitions", compared);
  parallel_for(default_threads(), compared, [&](std::size_t k) {
    const auto errors = TrajectoryAttack(observer(k), attack).errors();
    smallest[k] = *std::min_element(errors.begin(), errors.end());
    ++progress.done;
  });
  std::swap(
      all.front(),
      all[static_cast<std::size_t>(std::min_element(smallest.begin(), smallest.end()) - smallest.begin())]);
  return compared;
}

void check(const Graph& graph, const AuditSettings& settings) {
  if (graph.agents() < 2) throw InputError("the graph has only one agent; an audit needs at least 2 agents");
  check_connected(graph);
  check_coalition_size(graph, settings.size);
  if (settings.iterations == 0)
    throw InputError("T = 0 iterations exchange nothing; give at least 1 (`iterations`)");
}

}  // namespace

AuditSettings AuditSettings::of(const ConsensusPlan& plan) {
  AuditSettings settings;
  settings.hardening = plan.hardening;
  settings.lz = plan.lz;
  settings.value_bound = plan.value_bound;
  settings.lambda = plan.lambda;
  settings.iterations = plan.iterations;
  settings.dimension = plan.dimension;
  return settings;
}

Privacy privacy_of(const Graph& graph, const AuditSettings& settings) {
  return consensus_privacy(graph, {settings.hardening, settings.iterations, settings.dimension,
                                   most_searching_work, settings.mask_makers});
}

AuditReport audit(const Graph& graph, const AuditSettings& settings, Progress* progress) {
  check(graph, settings);
  const MaskMakers masks(settings.hardening.masks, settings.mask_makers);
  Progress unwatched;
  Progress& shown = progress ? *progress : unwatched;
  const MetropolisWeights weights(graph);
  AuditReport report;
  report.privacy = privacy_of(graph, settings);
  if (!settings.mask_makers) report.witness = mask_witness(graph, settings.hardening.masks);
  report.requirement_met = shortfall(report.privacy, settings.required).empty();

  std::vector<Coalition> coalitions;
  if (settings.coalition) {
    coalitions.push_back(*settings.coalition);
    report.coalitions = 1;
  } else {
    const double agents = static_cast<double>(graph.agents());
    const double most = std::clamp(most_exact_work / (2 * agents * agents * agents), 1.0,
                                   static_cast<double>(settings.most_coalitions));
    coalitions = coalitions_up_to(graph.agents(), settings.size, static_cast<std::size_t>(most));
    report.coalitions = number_of_coalitions(graph.agents(), settings.size);
  }
  report.examined = coalitions.size();
  std::vector<Ranked> all(coalitions.size());
  shown.begin("examining coalitions", all.size());
  parallel_for(default_threads(), all.size(), [&](std::size_t k) {
    const CoalitionFindings found = examine(weights, masks, settings, coalitions[k]);
    all[k] = {coalitions[k], found.trajectory.singled_out.size(), found.trajectory.beyond};
    ++shown.done;
  });
  report.leaking = static_cast<std::size_t>(
      std::count_if(all.begin(), all.end(), [](const Ranked& r) { return r.beyond > 0; }));

  report.compared = compare(weights, masks, settings, all, shown);
  report.worst = examine(weights, masks, settings, all.front().coalition);
  report.worst.errors = estimate_errors(observe(weights, masks, report.worst.coalition), settings,
                                        report.worst.trajectory, graph.agents());

  const std::size_t wanted = std::max<std::size_t>(1, settings.required);
  if (settings.hardening.masks == MaskSource::shares && report.privacy.collusion < wanted &&
      !settings.mask_makers && graph.agents() <= most_agents_to_advise)
    report.edges = edges_that_raise(graph, wanted);
  return report;
}

}  // namespace tacit
