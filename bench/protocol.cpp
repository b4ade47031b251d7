// Measures Protocol 1 against the raw AES-256-CTR stream of the same number of random bytes, on the same
// cores. The shape is that of SARCOS in the paper's table: M = 20 agents on a ring of degree 4, p = 2800
// values, T = 100 iterations.
#include <algorithm>
#include <cstdio>
#include <vector>

#include "ratio.hpp"
#include "tacit/base/system/parallel.hpp"
#include "tacit/graph/generators.hpp"
#include "tacit/graph/traffic.hpp"
#include "tacit/lab/simulator/simulator.hpp"
#include "tacit/protocol/consensus/consensus.hpp"

using namespace tacit;

namespace {

// Every core generates its part, one message at a time.
void raw_stream(unsigned threads, std::uint64_t messages, std::size_t size) {
  parallel_for(threads, threads, [&](std::size_t k) {
    Prg prg = Prg::from_seed(1, "bench", k);
    std::vector<std::byte> buffer(size);
    for (std::uint64_t m = messages * k / threads; m < messages * (k + 1) / threads; ++m) prg.fill(buffer);
  });
}

bench::Ratio measure(std::size_t agents, std::size_t degree, std::size_t p, std::size_t iterations,
                     unsigned bits) {
  const Graph graph = ring_lattice(agents, degree);
  PlanRequest request;
  request.dimension = p;
  request.iterations = iterations;
  request.modulus_bits = bits;
  const ConsensusPlan plan = make_plan(graph, request);
  const unsigned threads = default_threads();
  Simulator simulator(graph,
                      {.threads = threads, .seed = 1, .network = {}, .coalition = {}, .progress = nullptr});
  const auto run = [&] {
    simulator.run<Values>([&](Run& net) { return secure_average(net, plan, Values(p, 0.01 * net.self())); });
  };
  const auto raw = [&] { raw_stream(threads, share_messages(graph) * iterations, plan.message_bytes()); };
  return bench::measure_ratio(15, run, raw);
}

}  // namespace

int main() {
  std::printf(
      "Protocol 1 on all cores against the raw AES-256-CTR stream of the same number of random bytes\n");
  std::printf("%-62s %13s %13s\n", "", "protocol", "raw AES");
  // For this shape with noise 1, signal 10 and |y| up to 110, tacit plan gives 49 bits with L_z = 1e-4, and
  // 60 bits if it chooses L_z.
  for (unsigned bits : {49u, 60u})
    bench::print_ratio("SARCOS shape: M=20 degree 4 p=2800 T=100, q = 2^" + std::to_string(bits),
                       measure(20, 4, 2800, 100, bits));
  std::printf("Other shapes, for comparison\n");
  for (unsigned bits : {40u, 64u, 80u})
    bench::print_ratio("M=20 degree 4 p=2800 T=100, q = 2^" + std::to_string(bits),
                       measure(20, 4, 2800, 100, bits));
  bench::print_ratio("M=20 degree 19 p=2800 T=20, q = 2^56", measure(20, 19, 2800, 20, 56));
  return 0;
}
