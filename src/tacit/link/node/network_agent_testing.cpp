// One agent of a network as a process of its own, for tests that kill it: network_agent NETWORK_FILE AGENT.
// It reads commands from stdin, one a line:
//   ask                asks all agents for a run of several sums
//   ask without N      the same without agent N
//   average            asks all agents for a run of the consensus
//   links              waits for all links
//   die WHEN           sends itself SIGKILL in the next run: before it consents (consent), before its first
//                      message (start), or while the others add up (sum)
//   freeze WHEN        the same with SIGSTOP
// It answers each with one line: "done RESULT", "failed WHY" or "links".
#include <atomic>
#include <csignal>
#include <iostream>

#include "tacit/link/node/node_testing.hpp"
#include "tacit/protocol/consensus/consensus.hpp"

using namespace tacit;
using namespace tacit::testing;

namespace {

// The signal that this process sends itself, and when.
std::atomic<int> own_signal{0};
std::atomic<char> own_time{0};

void perhaps_stop(char time) {
  if (own_time != time) return;
  own_time = 0;
  std::raise(own_signal);
}

// Sums and averages that take long enough to be interrupted.
NodeProgram busy(const Graph& graph) {
  PlanRequest request;
  request.iterations = 60;
  request.dimension = 50;
  const auto plan = std::make_shared<ConsensusPlan>(make_plan(graph, request));
  NodeProgram program = adding(graph.agents());
  program.consent = [](const RunDescription&) {
    perhaps_stop('c');
    return Consent{};
  };
  program.program = [add = program.program, plan](Run& net, const RunDescription& run) -> Task<std::string> {
    perhaps_stop('s');
    if (run.request.kind == "average") {
      const Values average = co_await secure_average(net, *plan, Values(50, 0.5));
      co_return std::to_string(average[0]);
    }
    std::string sum;
    for (int k = 0; k < 6; ++k) {
      if (k == 3) perhaps_stop('a');
      sum = co_await add(net, run);
    }
    co_return sum;
  };
  return program;
}

}  // namespace

int main(int, char** arguments) {
  TestNetwork network{std::filesystem::path(arguments[1])};
  const auto self = static_cast<AgentId>(std::stoul(arguments[2]));
  NodeOptions options = network.options(self);
  if (std::getenv("TACIT_LOG"))
    options.log = [self](LogLevel, const std::string& text) {
      const auto now = std::chrono::steady_clock::now().time_since_epoch() / 1ms;
      std::cerr << std::to_string(now) + " " + std::to_string(self) + ": " + text + "\n";
    };
  network.start(self, busy(network.graph()), std::move(options));
  for (std::string line; std::getline(std::cin, line);) {
    if (line == "links") {
      network[self].wait_for_links(60s);
      std::cout << "links" << std::endl;
      continue;
    }
    if (line.starts_with("die ") || line.starts_with("freeze ")) {
      own_signal = line.starts_with("die") ? SIGKILL : SIGSTOP;
      own_time = line.ends_with("consent") ? 'c' : line.ends_with("start") ? 's' : 'a';
      std::cout << "ready" << std::endl;
      continue;
    }
    const std::string kind = line == "average" ? line : "add";
    const std::string without = "ask without ";
    std::set<AgentId> absent;
    if (line.starts_with(without))
      absent.insert(static_cast<AgentId>(std::stoul(line.substr(without.size()))));
    const RunOutcome outcome = network[self].ask({kind, ""}, network.all_but(absent)).get();
    std::cout << (outcome.done ? "done " + outcome.result : "failed " + outcome.error) << std::endl;
  }
  network[self].finish(2s);
}
