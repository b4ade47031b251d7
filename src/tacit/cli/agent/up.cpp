// tacit up: a whole consortium of real processes on this machine, to see it work.
#include <fmt/format.h>
#include <signal.h>

#include <atomic>
#include <exception>
#include <fstream>
#include <memory>
#include <thread>

#include "tacit/agent/control/control.hpp"
#include "tacit/agent/rows/agent_data.hpp"
#include "tacit/base/error.hpp"
#include "tacit/base/files.hpp"
#include "tacit/cli/agent/children.hpp"
#include "tacit/cli/agent/demo.hpp"
#include "tacit/cli/options/commands.hpp"
#include "tacit/cli/options/plan_options.hpp"
#include "tacit/cli/text/answer_text.hpp"
#include "tacit/cli/text/numbers.hpp"
#include "tacit/consortium/score/quality.hpp"
#include "tacit/lab/paper/evaluation/embedded.hpp"

namespace tacit::cli {
namespace {

using namespace std::chrono_literals;

struct UpCommand {
  DemoOptions demo;
  bool once = false;
};

constexpr auto to_start = 60s;

// The agents' sockets come up, then their links.
void wait_for_all(const Demo& demo, const std::atomic<bool>& stop) {
  const auto deadline = std::chrono::steady_clock::now() + to_start;
  for (const DemoAgent& agent : demo.agents)
    for (bool up = false; !up;) {
      if (stop) throw Error("interrupted");
      if (std::chrono::steady_clock::now() > deadline)
        throw Error(fmt::format("{} has not seen all its neighbours within {}; its log is above", agent.name,
                                duration(std::chrono::duration<double>(to_start).count())));
      if (std::filesystem::is_socket(agent.socket)) {
        try {
          const control::StatusReply status = ControlClient(agent.socket).status();
          up = std::all_of(status.peers().begin(), status.peers().end(),
                           [](const control::Peer& peer) { return peer.up() || !peer.neighbour(); });
        } catch (const Error&) {
          // The file is there, and nobody listens yet.
        }
      }
      if (!up) std::this_thread::sleep_for(20ms);
    }
}

void show_predictions(const Demo& demo, ControlClient& client) {
  const std::string& asker = demo.agents.back().name;
  const bool together = !demo.charter.model.landmarks.any();  // at home there would be its own rows alone
  if (together)
    fmt::print("\n{} asks all for predictions for new patients:\n", asker);
  else
    fmt::print("\n{} predicts new patients at home; nobody else learns about them:\n", asker);
  const Samples test = read_points(demo.test, demo.charter.inputs, demo.charter.targets).rows;
  const PointPredictions found = predictions_of(client.predict(test.inputs, together, {}).predicted());
  const Quality score = quality(found.mean, found.observed_deviation.cwiseAbs2(), test.outputs);
  const std::string target = demo.charter.targets[0].name;
  fmt::print("\n{:>8}  {:>10}  {:>26}\n", "patient", target + " true", "predicted (95 % interval)");
  for (Index r = 0; r < std::min<Index>(5, test.inputs.rows()); ++r)
    fmt::print("{:>8}  {:>10.0f}  {:>8.1f} ({:.0f} to {:.0f})\n", r + 1, test.outputs(r, 0), found.mean(r, 0),
               found.mean(r, 0) - reach_of_95 * found.observed_deviation(r, 0),
               found.mean(r, 0) + reach_of_95 * found.observed_deviation(r, 0));
  fmt::print("\nOn {} that no hospital has: RMSE {:.1f}, {:.0f} % of targets within the 95 % interval\n",
             plural(static_cast<std::uint64_t>(test.outputs.rows()), "patient"), score.rmse,
             100 * score.coverage);
}

void tell(const Demo& demo, const std::atomic<bool>& stop) {
  wait_for_all(demo, stop);
  fmt::print("{} as processes of their own, on {}:\n", plural(demo.agents.size(), "agent"),
             demo.charter.topology);
  for (std::size_t i = 0; i < demo.agents.size(); ++i)
    fmt::print("  {:<12} {:<16} {} to learn from, {} held out\n", demo.agents[i].name,
               demo.charter.agents[i].address, plural(demo.agents[i].rows, "row"), demo.agents[i].held_out);
  ControlClient client(demo.agents[0].socket);
  fmt::print("\n{} asks for a model of all their data ...\n", demo.agents[0].name);
  std::fflush(stdout);
  const auto began = std::chrono::steady_clock::now();
  const control::Progress fitted = client.fit({}, {});
  fmt::print("  fitted in {} {}\n",
             duration(std::chrono::duration<double>(std::chrono::steady_clock::now() - began).count()),
             whose_data(fitted));
  fmt::print("  {}\n", model_text(fitted.fitted().model()));
  ControlClient last(demo.agents.back().socket);
  const requests::Evaluated score = last.evaluate({}).evaluated();
  fmt::print("  {} held out at home: RMSE {:.1f}, each at its own hospital\n", plural(score.rows(), "row"),
             score.rmse());
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
  ::pthread_sigmask(SIG_BLOCK, &ending, nullptr);  // handled below, so that everything is cleaned up first

  Children children("tacit-demo");
  const Demo demo = make_demo(children.folder(), embedded::diabetes_csv, o.demo);
  for (const DemoAgent& agent : demo.agents)
    children.start({"agent", "--config", agent.config.string()}, agent.log);

  std::atomic<bool> stop = false, told = false;
  std::exception_ptr failure;
  std::thread story([&] {
    try {
      tell(demo, stop);
    } catch (...) {
      failure = std::current_exception();
    }
    told = true;
  });
  std::optional<std::size_t> ended;
  bool interrupted = false, invited = false;
  while (!ended && !interrupted && !(told && (o.once || failure))) {
    const timespec pause{0, 20'000'000};
    interrupted = sigtimedwait(&ending, nullptr, &pause) > 0;
    ended = children.first_ended();
    if (!told || failure || o.once || invited) continue;
    invited = true;
    fmt::print(
        "\nThey run until Ctrl-C. Ask them from another terminal, for example\n  tacit status --agent {}\n"
        "  tacit predict --agent {} --input {}\n",
        demo.agents[0].folder.string(), demo.agents[1].folder.string(), demo.test.string());
    std::fflush(stdout);
  }
  const bool finished = told && !failure;
  stop = true;
  children.end(25s);
  story.join();
  if (ended) {
    show_log(demo.agents[*ended]);
    throw Error(fmt::format("{} has ended; its log is above", demo.agents[*ended].name));
  }
  if (interrupted && !finished) throw Error("interrupted before the demonstration was over");
  if (failure) {
    show_log(demo.agents[0]);
    std::rethrow_exception(failure);
  }
}

}  // namespace

void add_up(CLI::App& program) {
  CLI::App* command = program.add_subcommand("up", "A whole consortium on this machine, to see it work");
  auto o = std::make_shared<UpCommand>();
  command->add_option("--demo", o->demo.agents, "Number of agents; the Diabetes data are split among them")
      ->required()
      ->check(whole_number(3, 20));
  command->add_option("--topology", o->demo.topology, "Who talks to whom: complete or ring:D")
      ->capture_default_str();
  command->add_option("--protocol", o->demo.sums, "How sums are formed: exact or consensus")
      ->capture_default_str();
  command->add_flag("--once", o->once, "End after the prediction instead of waiting for Ctrl-C");
  command->footer(
      "Every agent is a process with keys, data and a log of its own; they talk over TLS on this machine.\n"
      "At the end all processes are stopped and their files removed.\n\n"
      "Example:\n"
      "  tacit up --demo 5 --once");
  command->callback([o] { run(*o); });
}

}  // namespace tacit::cli
