#include <cstdio>
#include <tacit/graph/generators.hpp>
#include <tacit/protocol/consensus.hpp>
#include <tacit/simulation/simulator.hpp>

int main() {
  const tacit::Graph graph = tacit::ring_lattice(8, 4);
  const tacit::ConsensusPlan plan = tacit::make_plan(graph, {.dimension = 1, .value_bound = 8});
  const auto averages = tacit::Simulator(graph).run<tacit::Values>(
      [&](tacit::Channel& net) { return tacit::secure_average(net, plan, {1.0 * net.self()}); });
  std::printf("agent 0 has learned the average %.4f\n", averages[0][0]);
  return averages[0][0] > 3.499 && averages[0][0] < 3.501 ? 0 : 1;
}
