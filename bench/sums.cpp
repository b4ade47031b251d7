// Measures verified sums, which every agent computes itself, against sums over a tree: time in one process on
// all cores, and network traffic. All pairs of agents mask, and keys are already exchanged.
#include <cstdio>
#include <vector>

#include "ratio.hpp"
#include "tacit/base/system/parallel.hpp"
#include "tacit/graph/generators.hpp"
#include "tacit/lab/simulator/simulator.hpp"
#include "tacit/protocol/exact/exact.hpp"

using namespace tacit;

namespace {

struct Rehearsal {
  Rehearsal(std::size_t agents, std::size_t p, bool tree)
      : plan(make_exact_plan(
            {.agents = agents, .dimension = p, .value_bound = 1e4, .unit = 1e-6, .tree = tree})),
        simulator(
            agents < 10 ? complete_graph(agents) : ring_lattice(agents, 8),
            {.threads = default_threads(), .seed = 1, .network = {}, .coalition = {}, .progress = nullptr}) {
    sum();  // agrees on keys
  }
  void sum() {
    const Values mine(plan.dimension, 1.5);
    simulator.run<Values>([&](Run& net) { return exact_sum(net, plan, mine); });
  }

  ExactPlan plan;
  Simulator simulator;
};

}  // namespace

int main() {
  std::printf("Sums that every agent verifies against sums over a tree, all agents on this machine\n");
  std::printf("%-8s %-8s %10s %10s %8s   %14s %14s   %8s %8s\n", "agents", "values", "verified", "tree",
              "ratio", "MB, verified", "MB, tree", "rounds", "rounds");
  for (const std::size_t agents : {5u, 20u, 64u})
    for (const std::size_t p : {200u, 2'800u, 45'000u}) {
      Rehearsal verified(agents, p, false), tree(agents, p, true);
      const SimulationCost before = verified.simulator.cost(), below = tree.simulator.cost();
      verified.sum();
      tree.sum();
      const SimulationCost after = verified.simulator.cost(), above = tree.simulator.cost();
      const bench::Ratio ratio = bench::measure_ratio(
          5, [&] { verified.sum(); }, [&] { tree.sum(); });
      std::printf("%-8zu %-8zu %8.1f ms %8.1f ms %7.1fx   %14.2f %14.2f   %8llu %8llu\n", agents, p,
                  1e3 * ratio.subject, 1e3 * ratio.baseline, ratio.ratio,
                  static_cast<double>(after.bytes - before.bytes) / 1e6,
                  static_cast<double>(above.bytes - below.bytes) / 1e6,
                  static_cast<unsigned long long>(after.rounds - before.rounds),
                  static_cast<unsigned long long>(above.rounds - below.rounds));
    }
  return 0;
}
