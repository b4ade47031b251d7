// Measures sums while agents are lost, with all agents in this process: the number of attempts and their
// cost. A sum is either restarted without the lost agents ("start again") or continues without them
// ("enduring").
//   bench_losses FILE.csv [AGENTS [SEEDS [COLLUSION [TRIES [SHARE...]]]]]
// Every agent has 8 random neighbours and contributes 100 values. Agents are lost at a constant rate: during
// the number of turns of an undisturbed enduring sum, the given share is lost. The asker is never lost.
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <random>
#include <vector>

#include "ratio.hpp"
#include "tacit/graph/generators.hpp"
#include "tacit/lab/enduring/enduring.hpp"
#include "tacit/lab/simulator/simulator.hpp"

using namespace tacit;

namespace {

constexpr std::size_t degree = 8, values = 100;

struct Outcome {
  bool done = false, alike = true;
  std::size_t tries = 0, left = 0,
              left_out = 0;  // left_out: remaining agents whose values are not in the sum
  double rounds = 0, messages = 0, megabytes = 0, most_kilobytes = 0, seconds = 0;
};

ExactRequest request(std::size_t agents, std::size_t collusion) {
  return {.agents = agents,
          .dimension = values,
          .value_bound = 1e4,
          .unit = 1e-6,
          .tree = true,
          .collusion = collusion};
}

// Returns when each agent is lost, in turns; infinity for the asker.
std::vector<double> moments(std::size_t agents, double share, double turns, std::uint64_t seed) {
  std::mt19937_64 random(seed);
  std::vector<double> when(agents, INFINITY);
  for (std::size_t i = 1; i < agents && share > 0; ++i) {
    const double u = static_cast<double>(random() >> 11) * 0x1p-53;
    when[i] = turns * std::log1p(-u) / std::log1p(-share);
  }
  return when;
}

SimulatorOptions losing(const std::vector<double>& when, double since, std::uint64_t seed) {
  SimulatorOptions options;
  options.seed = seed;
  options.network.latency = 1;
  for (AgentId i = 0; i < when.size(); ++i)
    if (std::isfinite(when[i]))
      options.departures.push_back({.agent = i, .vanishes_after = i % (degree + 1), .at = when[i] - since});
  return options;
}

void add_cost(Outcome& outcome, const Simulator& simulator) {
  const SimulationCost cost = simulator.cost();
  outcome.rounds += static_cast<double>(cost.rounds);
  outcome.messages += static_cast<double>(cost.messages);
  outcome.megabytes += static_cast<double>(cost.bytes) / 1e6;
  std::vector<double> of(simulator.agents());
  for (const LinkTraffic& link : simulator.traffic()) {
    of[link.a] += static_cast<double>(link.bytes) / 1e3;
    of[link.b] += static_cast<double>(link.bytes) / 1e3;
  }
  outcome.most_kilobytes += *std::ranges::max_element(of);
}

Outcome enduring(const Graph& graph, const EnduringPlan& plan, const std::vector<double>& when,
                 std::uint64_t seed) {
  Outcome outcome;
  Simulator simulator(graph, losing(when, 0, seed));
  outcome.seconds = bench::seconds_of([&] {
    const auto all = simulator.run_with_losses<EnduringSum>(
        [&](Run& net) { return enduring_sum(net, plan, Values(values, 1.5)); });
    const EnduringSum* first = nullptr;
    std::size_t failed = 0;
    for (const auto& one : all) {
      outcome.left += one.result || !one.error.empty();
      failed += !one.error.empty();
      if (!one.result) continue;
      const auto in_it = static_cast<double>(graph.agents() - one.result->left_out.size());
      if (one.result->sum[0] != 1.5 * in_it) throw Error("the sum is wrong");
      if (first && first->left_out != one.result->left_out) outcome.alike = false;
      first = &*one.result;
    }
    if (first && failed > 0) outcome.alike = false;
    if (!first) return;
    outcome.done = true;
    outcome.tries = first->epochs;
    for (const AgentId agent : first->left_out) outcome.left_out += all[agent].result.has_value();
  });
  add_cost(outcome, simulator);
  return outcome;
}

// Returns the graph of the remaining agents, renumbered in their order, so that the asker stays the first.
Graph rest_of(const Graph& graph, const std::vector<AgentId>& left) {
  std::vector<Edge> edges;
  for (const auto& [a, b] : graph.edge_list()) {
    const auto i = std::ranges::lower_bound(left, a), j = std::ranges::lower_bound(left, b);
    if (i != left.end() && *i == a && j != left.end() && *j == b)
      edges.emplace_back(static_cast<AgentId>(i - left.begin()), static_cast<AgentId>(j - left.begin()));
  }
  return {left.size(), edges};
}

Outcome start_again(const Graph& graph, std::size_t collusion, const std::vector<double>& when,
                    std::uint64_t seed, std::size_t most) {
  Outcome outcome;
  outcome.seconds = bench::seconds_of([&] {
    while (!outcome.done && outcome.tries < most) {
      std::vector<AgentId> left;
      std::vector<double> later;
      for (AgentId i = 0; i < when.size(); ++i)
        if (when[i] > outcome.rounds) {
          left.push_back(i);
          later.push_back(when[i]);
        }
      const ExactPlan plan = make_exact_plan(request(left.size(), collusion));
      Simulator simulator(rest_of(graph, left), losing(later, outcome.rounds, seed));
      const auto all = simulator.run_with_losses<Values>(
          [&](Run& net) { return exact_sum(net, plan, Values(values, 1.5)); });
      // An agent that is lost after completing its part does not delay the others.
      outcome.done = std::ranges::none_of(all, [](const auto& one) { return !one.error.empty(); });
      outcome.left = left.size();
      ++outcome.tries;
      add_cost(outcome, simulator);
    }
  });
  return outcome;
}

void print(std::FILE* csv, const char* how, std::size_t agents, double share, std::uint64_t seed,
           const Outcome& one) {
  for (std::FILE* to : {csv, stdout})
    std::fprintf(to, "%s,%zu,%g,%llu,%d,%d,%zu,%zu,%zu,%g,%g,%.4g,%.4g,%.3g\n", how, agents, share,
                 static_cast<unsigned long long>(seed), one.done, one.alike, one.tries, one.left,
                 one.left_out, one.rounds, one.messages, one.megabytes, one.most_kilobytes, one.seconds);
  std::fflush(stdout);
  std::fflush(csv);
}

}  // namespace

int main(int argc, char** argv) {
  std::FILE* csv = argc > 1 ? std::fopen(argv[1], "w") : nullptr;
  if (!csv) {
    std::fprintf(stderr, "usage: bench_losses FILE.csv [AGENTS [SEEDS [COLLUSION [TRIES [SHARE...]]]]]\n");
    return 2;
  }
  const auto number = [&](int k, std::size_t otherwise) {
    return argc > k ? std::strtoull(argv[k], nullptr, 10) : otherwise;
  };
  const std::size_t agents = number(2, 1'000), seeds = number(3, 3), collusion = number(4, 10),
                    tries = number(5, 20);
  for (std::FILE* to : {csv, stdout})
    std::fprintf(to,
                 "how,agents,share_lost,seed,done,alike,tries,left,left_out,rounds,messages,megabytes,"
                 "most_kilobytes,seconds\n");
  const EnduringPlan plan = make_enduring_plan(request(agents, collusion));
  std::vector<double> shares;
  for (int k = 6; k < argc; ++k) shares.push_back(std::strtod(argv[k], nullptr));
  if (shares.empty()) shares = {0, 0.001, 0.01, 0.05};
  for (const double share : shares)
    for (std::uint64_t seed = 1; seed <= (share > 0 ? seeds : 1); ++seed) {
      const Graph graph = random_regular(agents, degree, seed);
      const auto turns = static_cast<double>(enduring_turns(plan, Gathering(graph)));
      const std::vector<double> when = moments(agents, share, turns, seed);
      const Outcome one = enduring(graph, plan, when, seed);
      print(csv, "enduring", agents, share, seed, one);
      if (tries > 0)
        print(csv, "start again", agents, share, seed, start_again(graph, collusion, when, seed, tries));
    }
  return std::fclose(csv);
}
