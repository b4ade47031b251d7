// For tests: runs of the real protocol, with a recording of what a coalition sees.
#pragma once

#include <cmath>
#include <cstdint>
#include <random>
#include <utility>
#include <vector>

#include "tacit/charter/bounds/estimate.hpp"
#include "tacit/lab/audit/attack_testing.hpp"
#include "tacit/lab/simulator/simulator.hpp"
#include "tacit/protocol/consensus/consensus.hpp"

namespace tacit::testing {

/// Records all messages of a simulation; seen_by() selects those that a coalition sent or received.
class Recorded {
 public:
  Recorded(const Graph& graph, std::uint64_t seed)
      : simulator_(graph, {.threads = 1,
                           .seed = seed,
                           .network = {},
                           .coalition = all_agents(graph),
                           .progress = nullptr}) {}

  Simulator& simulator() { return simulator_; }

  std::vector<SeenMessage> seen_by(const Coalition& coalition) {
    all_ = simulator_.view();
    std::vector<SeenMessage> seen;
    for (const Received& message : all_)
      for (AgentId c : coalition)
        if (message.from == c || message.to == c) {
          seen.push_back({message.from, message.to, message.tag, message.bytes});
          break;
        }
    return seen;
  }

 private:
  static std::vector<AgentId> all_agents(const Graph& graph) {
    std::vector<AgentId> all(graph.agents());
    for (AgentId i = 0; i < graph.agents(); ++i) all[i] = i;
    return all;
  }
  Simulator simulator_;
  std::vector<Received> all_;
};

/// The states of all agents after 0 .. T iterations of a masked run, in units of L_z L_w. Each iteration is a
/// separate run, which for the protocol is the same as continuing.
inline std::vector<std::vector<std::int64_t>> trajectories(const Graph& graph, ConsensusPlan plan,
                                                           const std::vector<double>& start,
                                                           std::uint64_t seed) {
  Simulator simulator(graph,
                      {.threads = 1, .seed = seed, .network = {}, .coalition = {}, .progress = nullptr});
  const std::size_t iterations = std::exchange(plan.iterations, 1);
  std::vector<WipedVector<std::int64_t>> state;
  for (double z : start) state.push_back(encode<std::int64_t>(plan, Values(1, z)));
  std::vector<std::vector<std::int64_t>> all;
  for (std::size_t t = 0;; ++t) {
    all.emplace_back();
    for (const auto& s : state) all.back().push_back(s[0]);
    if (t == iterations) return all;
    state = simulator.run<WipedVector<std::int64_t>>(
        [&](Run& net) { return secure_average_state<Word64>(net, plan, state[net.self()]); });
  }
}

/// The attack of findings 1b by one agent from its own states. Returns estimates of all others' initial
/// values.
inline std::vector<double> attack_alone(const MetropolisWeights& weights, const ConsensusPlan& plan,
                                        AgentId self, const TrajectoryAttack& attack,
                                        const std::vector<std::int64_t>& own_states) {
  const double d = static_cast<double>(plan.denominator);
  double own_weight = 0;
  for (AgentId j : weights.graph().neighbours(self))
    own_weight += static_cast<double>(weights.between(self, j));
  std::vector<std::vector<double>> own, seen;
  for (std::size_t t = 0; t + 1 < own_states.size(); ++t) {
    const double q = std::floor(static_cast<double>(own_states[t]) / d + 0.5);
    own.push_back({q * plan.lz});
    // (metroFinal) solved for the sum: Σ_j w̄_ij Q(z_j) is the step plus Σ_j w̄_ij Q(z_i).
    const double sum = static_cast<double>(own_states[t + 1] - own_states[t]) + own_weight * q;
    seen.push_back({sum * plan.lz / d});
  }
  return attack.estimate(own, seen);
}

}  // namespace tacit::testing
