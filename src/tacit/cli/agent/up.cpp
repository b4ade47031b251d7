// tacit up: runs a demonstration consortium of real processes on this machine.
#include <fmt/format.h>
#include <signal.h>

#include <atomic>
#include <cmath>
#include <exception>
#include <fstream>
#include <memory>
#include <thread>

#include "tacit/agent/control/control.hpp"
#include "tacit/agent/rows/agent_data.hpp"
#include "tacit/agent/work/prediction_message.hpp"
#include "tacit/answers/numbers.hpp"
#include "tacit/base/error.hpp"
#include "tacit/base/system/files.hpp"
#include "tacit/cli/agent/child_processes.hpp"
#include "tacit/cli/agent/demo.hpp"
#include "tacit/cli/options/commands.hpp"
#include "tacit/cli/options/values.hpp"
#include "tacit/cli/text/answer_text.hpp"
#include "tacit/consortium/score/quality.hpp"
#include "tacit/table/bundled_data.hpp"

namespace tacit::cli {
namespace {

using namespace std::chrono_literals;

struct UpCommand {
  DemoOptions demo;
  bool once = false;
};

constexpr auto to_start = 60s;

// Waits for the agents' sockets, then for their links.
void wait_for_all(const Demo& demo, const std::atomic<bool>& stop) {
  const auto deadline = std::chrono::steady_clock::now() + to_start;
  for (const DemoAgent& agent : demo.agents)
    for (bool up = false; !up;) {
      if (stop) throw Error("interrupted");
      if (std::chrono::steady_clock::now() > deadline)
        throw Error(fmt::format("{} did not connect to all its neighbours within {}; its log is above",
                                agent.name, duration(std::chrono::duration<double>(to_start).count())));
      if (std::filesystem::is_socket(agent.socket)) {
        try {
          const control::StatusReply status = ControlClient(agent.socket).status();
          up = std::all_of(status.peers().begin(), status.peers().end(),
                           [](const control::Peer& peer) { return peer.up() || !peer.neighbour(); });
        } catch (const Error&) {
          // The socket exists, but the agent does not listen yet.
        }
      }
      if (!up) std::this_thread::sleep_for(20ms);
    }
}

void show_predictions(const Demo& demo, ControlClient& client) {
  const std::string& asker = demo.agents.back().name;
  const bool together = !demo.charter.model.landmarks.any();  // otherwise home answers use own rows only
  if (together)
    fmt::print("\n{} asks all agents for predictions for new patients:\n", asker);
  else
    fmt::print("\n{} predicts new patients at home; no other agent learns about them:\n", asker);
  const Samples test = read_points(demo.test, demo.charter.inputs, demo.charter.targets).rows;
  const Prediction found = prediction_of(client.predict(test.inputs, together, {}).predicted());
  const Quality score = quality(found.mean, found.observed_variance, test.outputs);
  const std::string target = demo.charter.targets[0].name;
  fmt::print("\n{:>8}  {:>10}  {:>26}\n", "patient", target + " true", "predicted (95 % interval)");
  for (Index r = 0; r < std::min<Index>(5, test.inputs.rows()); ++r) {
    const double mean = found.mean(r, 0), reach = reach_of_95 * std::sqrt(found.observed_variance(r, 0));
    fmt::print("{:>8}  {:>10.0f}  {:>8.1f} ({:.0f} to {:.0f})\n", r + 1, test.outputs(r, 0), mean,
               mean - reach, mean + reach);
  }
  fmt::print("\nOn {} that no hospital has: RMSE {:.1f}, {:.0f} % of targets within the 95 % interval\n",
             plural(static_cast<std::uint64_t>(test.outputs.rows()), "patient"), score.rmse,
             100 * score.coverage);
}

void show_demo(const Demo& demo, const std::atomic<bool>& stop) {
  wait_for_all(demo, stop);
  fmt::print("{}, each in its own process, on {}:\n", plural(demo.agents.size(), "agent"),
             demo.charter.topology);
  for (std::size_t i = 0; i < demo.agents.size(); ++i)
    fmt::print("  {:<12} {:<16} {} for training, {} held out\n", demo.agents[i].name,
               demo.charter.agents[i].address, plural(demo.agents[i].rows, "row"), demo.agents[i].held_out);
  ControlClient client(demo.agents[0].socket);
  fmt::print("\n{} asks for a model of the data of all agents ...\n", demo.agents[0].name);
  std::fflush(stdout);
  const auto began = std::chrono::steady_clock::now();
  const control::Progress fitted = client.fit({}, {});
  fmt::print("  fitted in {} {}\n",
             duration(std::chrono::duration<double>(std::chrono::steady_clock::now() - began).count()),
             whose_data(fitted));
  fmt::print("  {}\n", model_text(fitted.fitted().model()));
  ControlClient last(demo.agents.back().socket);
  const requests::Evaluated score = last.evaluate({}).evaluated();
  fmt::print("  {} held out at home: RMSE {:.1f}, each row scored in its own hospital\n",
             plural(score.rows(), "row"), score.rmse());
  show_predictions(demo, last);
  std::fflush(stdout);
}

void show_log(const DemoAgent& agent) {
  std::ifstream in(agent.log);
  std::string line;
  fmt::print(stderr, "{}'s log:\n", agent.name);
  while (std::getline(in, line)) fmt::print(stderr, "  {}\n", line);
}

void run(const UpCommand& o) {
  sigset_t ending;
  sigemptyset(&ending);
  for (const int one : {SIGTERM, SIGINT, SIGHUP}) sigaddset(&ending, one);
  ::pthread_sigmask(SIG_BLOCK, &ending,
                    nullptr);  // handled below, so that processes and files are cleaned up first

  Children children("tacit-demo");
  const Demo demo = make_demo(children.folder(), bundled_diabetes, o.demo);
  for (const DemoAgent& agent : demo.agents)
    children.start({"agent", "--config", agent.config.string()}, agent.log);

  std::atomic<bool> stop = false, shown = false;
  std::exception_ptr failure;
  std::thread demonstration([&] {
    try {
      show_demo(demo, stop);
    } catch (...) {
      failure = std::current_exception();
    }
    shown = true;
  });
  std::optional<std::size_t> ended;
  bool interrupted = false, hint_printed = false;
  while (!ended && !interrupted && !(shown && (o.once || failure))) {
    const timespec pause{0, 20'000'000};
    interrupted = sigtimedwait(&ending, nullptr, &pause) > 0;
    ended = children.first_ended();
    if (!shown || failure || o.once || hint_printed) continue;
    hint_printed = true;
    fmt::print(
        "\nThe agents run until Ctrl-C. Use them from another terminal, for example\n  tacit status --agent "
        "{}\n"
        "  tacit predict --agent {} --input {}\n",
        demo.agents[0].folder.string(), demo.agents[1].folder.string(), demo.test.string());
    std::fflush(stdout);
  }
  const bool finished = shown && !failure;
  stop = true;
  children.end(25s);
  demonstration.join();
  if (ended) {
    show_log(demo.agents[*ended]);
    throw Error(fmt::format("{} has stopped; its log is above", demo.agents[*ended].name));
  }
  if (interrupted && !finished) throw Error("interrupted before the demonstration was finished");
  if (failure) {
    show_log(demo.agents[0]);
    std::rethrow_exception(failure);
  }
}

}  // namespace

void add_up(CLI::App& program) {
  CLI::App* command = program.add_subcommand("up", "Run a demonstration consortium on this machine");
  auto o = std::make_shared<UpCommand>();
  command->add_option("--demo", o->demo.agents, "Number of agents; the Diabetes data are split among them")
      ->required()
      ->check(whole_number(3, 20));
  add_parsed(
      *command, "--topology", o->demo.topology, [](const std::string& text) { return parse_topology(text); },
      "Links between agents: complete or ring:D")
      ->default_str(to_string(o->demo.topology));
  add_choice(*command, "--protocol", o->demo.sums,
             choices_for({SumProtocol::exact, SumProtocol::tree, SumProtocol::consensus}),
             "How sums are formed: exact or consensus");
  command->add_flag("--once", o->once, "End after the prediction instead of waiting for Ctrl-C");
  command->footer(
      "Each agent is a process with its own keys, data and log. The agents communicate over TLS on this "
      "machine.\n"
      "At the end, the command stops all processes and removes their files.\n\n"
      "Example:\n"
      "  tacit up --demo 5 --once");
  command->callback([o] { run(*o); });
}

}  // namespace tacit::cli
