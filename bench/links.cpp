// Measures the cost of the network. Five agents on loopback, each a real node with TLS links and a journal,
// predict 200 points of Diabetes by protocol exact, and the simulator does the same work. The aim is at most
// five times the simulator plus 20 ms. Then twenty agents form the sum over 300 landmarks.
#include <atomic>
#include <cstdio>
#include <thread>

#include "ratio.hpp"
#include "tacit/charter/terms.hpp"
#include "tacit/consortium/predict/fitted_experts.hpp"
#include "tacit/consortium/programme.hpp"
#include "tacit/gp/expert/blas_threads.hpp"
#include "tacit/graph/generators.hpp"
#include "tacit/lab/simulator/simulator.hpp"
#include "tacit/lab/study/parties/parties.hpp"
#include "tacit/link/node/hostile_testing.hpp"
#include "tacit/link/node/node_testing.hpp"

using namespace tacit;

namespace {

using Clock = std::chrono::steady_clock;
constexpr AgentId originator = 0;

double milliseconds(Clock::duration time) { return std::chrono::duration<double, std::milli>(time).count(); }

Charter charter_for(const Parties& parties, const std::string& topology) {
  Charter charter;
  for (std::size_t i = 0; i < parties.agents.size(); ++i)
    charter.agents.push_back({"agent-" + std::to_string(i), "", {}, "", {}});
  charter.topology = topology;
  for (const std::string& name : parties.columns.inputs) charter.inputs.push_back({name, -10, 400, {}});
  charter.targets = {{parties.columns.targets[0], 0, 400, {}}};
  charter.model = usual_model(parties.columns.inputs.size(), true);
  charter.protocol.rows = 200;
  charter.protocol.collusion = charter.agents.size() - 2;
  return charter;
}

void measure(const Parties& parties, const Matrix& points, const std::string& topology) {
  const Charter charter = charter_for(parties, topology);
  const Terms terms = terms_of(charter);
  const Asked asked{originator, 3};
  Simulator simulator(terms.graph);
  const Fitted model =
      simulator
          .run<Fit>([&](Run& net) { return fit_privately(net, terms, asked, parties.agents[net.self()]); })[0]
          .fitted;
  const auto predict = [&](Run& net) -> Task<Prediction> {
    const LocalEvidence evidence = FittedExperts(terms, model, parties.agents[net.self()]).evidence(points);
    co_return co_await tacit::predict(net, terms, asked, model, evidence);
  };

  tacit::testing::TestNetwork network(charter.graph());
  std::atomic<Clock::time_point> started, ended;
  NodeProgram program;
  program.program = [&](Run& net, const RunDescription&) -> Task<std::string> {
    if (net.self() == originator) started = Clock::now();
    const Prediction predicted = co_await predict(net);
    if (net.self() == originator) ended = Clock::now();
    co_return std::to_string(predicted.mean.size());
  };
  network.start(program);
  network.wait_for_links();

  std::vector<double> convening, running, settling;
  const auto over_links = [&] {
    const auto start = Clock::now();
    const RunOutcome outcome =
        network[originator].ask({"predict", std::string(16'000, 'x')}, network.everybody()).get();
    if (!outcome.done) std::printf("failed: %s\n", outcome.error.c_str());
    convening.push_back(milliseconds(started.load() - start));
    running.push_back(milliseconds(ended.load() - started.load()));
    settling.push_back(milliseconds(Clock::now() - ended.load()));
  };
  const bench::Ratio ratio =
      bench::measure_ratio(40, over_links, [&] { simulator.run<Prediction>(predict); });
  bench::print_ratio("predict 200 points, 5 agents, " + topology, ratio);
  std::printf("  parts: announce, answer, start %.2f ms; run %.2f ms; hand over %.2f ms; allowed %.2f ms\n",
              bench::median(convening), bench::median(running), bench::median(settling),
              5e3 * ratio.baseline + 20);
  const NodeStatus status = network[originator].status();
  double trip = 0;
  for (const NeighbourStatus& neighbour : status.neighbours) trip += neighbour.round_trip;
  std::printf("  a link's round trip %.2f ms\n", 1e3 * trip / static_cast<double>(status.neighbours.size()));
}

// The sum that gives every agent the pooled part of a model, with numbers near their bound.
void measure_pooled(std::size_t agents, std::size_t landmarks) {
  const Graph graph = complete_graph(agents);
  const SumShape shape = pooled_sum({.agents = agents,
                                     .landmarks = landmarks,
                                     .outputs = 1,
                                     .priors = 1,
                                     .rows = 2000,
                                     .prior_high = 1,
                                     .noise = 0.1,
                                     .output_max = 5});
  ExactRequest request;
  request.agents = agents;
  const ExactSecureSum sums(request);
  const auto pool = [&](Run& net) -> Task<Values> {
    Values mine(shape.dimension, 0.9 * shape.range.bound);
    co_return co_await sums.sum(net, std::move(mine), shape.range);
  };
  tacit::testing::TestNetwork network(graph);
  NodeProgram program;
  program.program = [&](Run& net, const RunDescription&) -> Task<std::string> {
    const Values total = co_await pool(net);
    co_return std::to_string(total.size());
  };
  network.start(program);
  network.wait_for_links();
  const auto sent = [&] {
    std::uint64_t bytes = 0;
    for (const NeighbourStatus& neighbour : network[originator].status().neighbours)
      bytes += neighbour.bytes_sent;
    return bytes;
  };
  std::uint64_t runs = 0;
  const std::uint64_t before = sent();
  const auto over_links = [&] {
    ++runs;
    const RunOutcome outcome = network[originator].ask({"fit", "x"}, network.everybody()).get();
    if (!outcome.done) std::printf("failed: %s\n", outcome.error.c_str());
  };
  const bench::Ratio ratio = bench::measure_ratio(5, over_links, [&] {
    Simulator simulator(graph);
    simulator.run<Values>(pool);
  });
  bench::print_ratio("the sum over 300 landmarks, 20 agents, complete", ratio);
  std::printf("  %zu numbers of %u bits; an agent sends %.2f MB\n", shape.dimension,
              std::get<ExactPlan>(sums.plan(shape)).modulus_bits,
              static_cast<double>(sent() - before) / static_cast<double>(runs) / 1e6);
}

// Four streams of frames of the largest size, which the other side never reads, to the first of three agents.
void measure_beside_a_flood() {
  constexpr int repeats = 40;
  tacit::testing::TestNetwork network(complete_graph(4));
  for (AgentId i = 0; i < 3; ++i) network.start(i, tacit::testing::adding(4));
  const auto median_of_sums = [&] {
    std::vector<double> times;
    for (int k = 0; k < repeats; ++k)
      times.push_back(bench::seconds_of([&] {
        const RunOutcome outcome = network[1].ask({"add", ""}, {0, 1, 2}).get();
        if (!outcome.done) std::printf("failed: %s\n", outcome.error.c_str());
      }));
    return bench::median(times);
  };
  median_of_sums();
  const double alone = median_of_sums();
  const auto start = Clock::now();
  const tacit::testing::DeafFlood flood(network.options(3), 0, 4);
  const double beside = median_of_sums();
  const double seconds = milliseconds(Clock::now() - start) / 1e3;
  bench::print_ratio("a small sum of 3 agents, beside a flood by a member", {beside, alone, beside / alone});
  std::printf(
      "  the flood: %.0f MB a second over 4 streams, from the same machine\n",
      static_cast<double>(flood.frames_sent()) * static_cast<double>(most_message_bytes) / seconds / 1e6);
}

}  // namespace

int main() {
  const BlasThreads one_each(1);  // agents share this machine
  PartyOptions options;
  options.data = {TACIT_SOURCE_DIR "/data/diabetes.csv"};
  options.targets = {"y"};
  options.agents = 5;
  const Parties parties = gather_parties(options);
  Matrix points(200, parties.test.inputs.cols());
  for (Index k = 0; k < points.rows(); ++k)
    points.row(k) = parties.test.inputs.row(k % parties.test.inputs.rows());
  std::printf("%-62s %13s %13s\n", "", "over links", "simulator");
  for (const char* topology : {"complete", "ring:2"}) measure(parties, points, topology);
  measure_pooled(20, 300);
  measure_beside_a_flood();
}
