// One agent of a network as a process of its own, for tests that kill it: network_agent NETWORK_FILE AGENT.
// It reads commands from stdin, one a line:
//   ask                asks all agents for a run of several sums
//   ask without N      the same without agent N
//   average            asks all agents for a run of the consensus
//   links              waits for all links
//   die WHEN           sends itself SIGKILL in the next run: before it consents (consent), before its first
//                      message (start), or while the others add up (sum)
//   freeze WHEN        the same with SIGSTOP
//   sleep WHEN         the same as freeze, but when it continues, an hour has passed on its clock
// It answers each with one line: "done RESULT", "failed WHY" or "links". Its log is the file log-AGENT in the
// folder of the network.
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
std::atomic<bool> sleeps{false};
std::atomic<AwakeClock::Span> slept{AwakeClock::Span(0)};

void perhaps_stop(char time) {
  if (own_time != time) return;
  own_time = 0;
  if (sleeps) slept = slept.load() + 1h;
  std::raise(own_signal);
}

// Sums and averages that take long enough to be interrupted.
NodeProgram busy(const Graph& graph, const std::function<void(const std::string&)>& log) {
  PlanRequest request;
  request.iterations = 60;
  request.dimension = 50;
  const auto plan = std::make_shared<ConsensusPlan>(make_plan(graph, request));
  NodeProgram program = adding(graph.agents());
  program.ended = [log](const RunDescription&, const RunOutcome& outcome) {
    log(outcome.done ? "the run is done" : "the run failed: " + outcome.error);
  };
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
  std::ofstream file(network.folder() / ("log-" + std::to_string(self)), std::ios::app);
  std::mutex guard;
  const auto log = [&, self](const std::string& text) {
    const std::lock_guard lock(guard);
    file << text + "\n" << std::flush;
    if (!std::getenv("TACIT_LOG")) return;
    const auto now = std::chrono::steady_clock::now().time_since_epoch() / 1ms;
    std::cerr << std::to_string(now) + " " + std::to_string(self) + ": " + text + "\n";
  };
  options.log = [log](LogLevel, const std::string& text) { log(text); };
  options.clock = std::make_shared<AwakeClock>([] { return AwakeClock::since_boot() + slept.load(); });
  network.start(self, busy(network.graph(), log), std::move(options));
  for (std::string line; std::getline(std::cin, line);) {
    if (line == "links") {
      network[self].wait_for_links(60s);
      std::cout << "links" << std::endl;
      continue;
    }
    if (line.starts_with("die ") || line.starts_with("freeze ") || line.starts_with("sleep ")) {
      own_signal = line.starts_with("die") ? SIGKILL : SIGSTOP;
      sleeps = line.starts_with("sleep");
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
  network.stop(self);  // before what its log needs
}
