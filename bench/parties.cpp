// Measures how exact sums over a tree grow with the number of agents, all in this process: rounds, messages,
// bytes in total and per agent, seconds for a first sum (with its keys) and for a further one, and memory.
//   bench_parties FILE.csv [AGENTS...]
// Every agent has 8 random neighbours, contributes 100 values and withstands 100 other colluding agents.
#include <sys/resource.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <vector>

#include "ratio.hpp"
#include "tacit/graph/generators.hpp"
#include "tacit/lab/simulator/simulator.hpp"
#include "tacit/protocol/exact/exact.hpp"

using namespace tacit;

namespace {

constexpr std::size_t degree = 8, values = 100, collusion = 100;

double peak_megabytes() {
  rusage used{};
  getrusage(RUSAGE_SELF, &used);
  return static_cast<double>(used.ru_maxrss) / 1e3;
}

// Returns the bytes that each agent sends and receives, in ascending order.
std::vector<double> by_agent(const Simulator& simulator) {
  std::vector<double> bytes(simulator.agents());
  for (const LinkTraffic& link : simulator.traffic()) {
    bytes[link.a] += static_cast<double>(link.bytes);
    bytes[link.b] += static_cast<double>(link.bytes);
  }
  std::ranges::sort(bytes);
  return bytes;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 2) {
    std::fprintf(stderr, "usage: bench_parties FILE.csv [AGENTS...]\n");
    return 2;
  }
  std::FILE* csv = std::fopen(argv[1], "w");
  if (!csv) {
    std::fprintf(stderr, "%s cannot be written; check the path\n", argv[1]);
    return 2;
  }
  std::vector<std::size_t> sizes;
  for (int k = 2; k < argc; ++k) sizes.push_back(std::strtoull(argv[k], nullptr, 10));
  if (sizes.empty()) sizes = {100, 300, 1'000, 3'000, 10'000, 30'000, 100'000};
  std::fprintf(csv,
               "agents,rounds,messages,megabytes,median_kilobytes,most_kilobytes,first_seconds,"
               "further_seconds,peak_megabytes\n");
  std::printf("%8s %7s %9s %10s %12s %12s %10s %10s %9s\n", "agents", "rounds", "messages", "MB total",
              "kB, median", "kB, most", "first s", "further s", "peak MB");
  for (const std::size_t agents : sizes) {
    const ExactPlan plan = make_exact_plan({.agents = agents,
                                            .dimension = values,
                                            .value_bound = 1e4,
                                            .unit = 1e-6,
                                            .tree = true,
                                            .collusion = collusion});
    Simulator simulator(random_regular(agents, degree, 1));
    const auto sum = [&] {
      const Values mine(values, 1.5);
      for (const Values& total : simulator.run<Values>([&](Run& net) { return exact_sum(net, plan, mine); }))
        if (total[0] != 1.5 * static_cast<double>(agents)) throw Error("the sum is wrong");
    };
    const double first = bench::seconds_of(sum);
    const SimulationCost cost = simulator.cost();
    const std::vector<double> bytes = by_agent(simulator);
    const double further = bench::seconds_of(sum);
    const double row[] = {static_cast<double>(cost.bytes) / 1e6,
                          bytes[bytes.size() / 2] / 1e3,
                          bytes.back() / 1e3,
                          first,
                          further,
                          peak_megabytes()};
    std::printf("%8zu %7llu %9llu %10.1f %12.1f %12.1f %10.2f %10.2f %9.0f\n", agents,
                static_cast<unsigned long long>(cost.rounds), static_cast<unsigned long long>(cost.messages),
                row[0], row[1], row[2], row[3], row[4], row[5]);
    std::fflush(stdout);
    std::fprintf(csv, "%zu,%llu,%llu,%g,%g,%g,%g,%g,%g\n", agents,
                 static_cast<unsigned long long>(cost.rounds), static_cast<unsigned long long>(cost.messages),
                 row[0], row[1], row[2], row[3], row[4], row[5]);
  }
  return std::fclose(csv);
}
