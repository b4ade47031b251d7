#include "tacit/agent/daemon.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <signal.h>
#include <sys/file.h>
#include <unistd.h>

#include <atomic>
#include <cstdlib>
#include <thread>

#include "tacit/agent/control.hpp"
#include "tacit/agent/log.hpp"
#include "tacit/agent/metrics.hpp"
#include "tacit/base/error.hpp"
#include "tacit/base/release.hpp"
#include "tacit/gp/blas_threads.hpp"
#include "tacit/identity/encoding.hpp"
#include "tacit/link/node.hpp"
#include "tacit/secrecy/wiped.hpp"

namespace tacit {
namespace {

using namespace std::chrono_literals;

constexpr auto farewell = 20s;  // for the current run to finish

// Signals that end the agent. One thread waits for them.
class Signals {
 public:
  Signals() {
    ::signal(SIGPIPE, SIG_IGN);
    sigemptyset(&set_);
    for (const int one : {SIGTERM, SIGINT, SIGHUP}) sigaddset(&set_, one);
    ::pthread_sigmask(SIG_BLOCK, &set_, nullptr);  // threads made from now on inherit it
  }
  std::string wait() const {
    int signal = 0;
    sigwait(&set_, &signal);
    return ::sigdescr_np(signal);
  }
  bool wait_for(std::chrono::milliseconds time) const {
    const timespec limit{time.count() / 1000, time.count() % 1000 * 1'000'000};
    return sigtimedwait(&set_, nullptr, &limit) > 0;
  }

 private:
  sigset_t set_{};
};

// One agent per folder.
class FolderLock {
 public:
  explicit FolderLock(const std::filesystem::path& folder) {
    const auto file = folder / "lock";
    handle_ = ::open(file.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0600);
    if (handle_ < 0 || ::flock(handle_, LOCK_EX | LOCK_NB) != 0) {
      if (handle_ >= 0) ::close(handle_);
      throw Error(
          fmt::format("{}: another agent runs with this folder as its state; stop it or name another folder",
                      folder.string()));
    }
  }
  ~FolderLock() { ::close(handle_); }
  FolderLock(const FolderLock&) = delete;

 private:
  int handle_ = -1;
};

Preflight checked(const AgentConfig& config, const LogSink& log) {
  Preflight report = preflight(config);
  std::string first;
  bool may_pass = true;  // then whoever starts agents may try again
  for (const Finding& finding : report.findings) {
    const bool error = finding.kind == Finding::Kind::error;
    log(error                                    ? LogLevel::error
        : finding.kind == Finding::Kind::warning ? LogLevel::warning
                                                 : LogLevel::info,
        "pre-flight: " + finding.log);
    if (error && first.empty()) first = finding.log;
    if (error) may_pass = may_pass && finding.may_pass;
  }
  if (!report.sound() && may_pass) throw Error("the agent does not start: " + first);
  if (!report.sound()) throw InputError("the agent does not start: " + first);
  return report;
}

void fill_in(control::StatusReply& reply, const Node& node, const Work& work) {
  const NodeStatus now = node.status();
  reply.set_listen(node.address());
  reply.set_runs_done(now.done);
  reply.set_runs_failed(now.failed);
  reply.set_waiting(now.waiting);
  const auto doing = work.doing();
  if (doing || !now.running.empty()) reply.set_running(doing ? doing->words : now.running);
  for (const NeighbourStatus& one : now.neighbours)
    for (control::Peer& peer : *reply.mutable_peers()) {
      if (peer.name() != one.name) continue;
      peer.set_neighbour(true);
      peer.set_up(one.up);
      peer.set_refusal(one.refusal);
      peer.set_round_trip(one.round_trip);
      peer.set_bytes_sent(one.bytes_sent);
      peer.set_bytes_received(one.bytes_received);
      peer.set_links(one.streams);
      peer.set_release(one.release);
    }
}

// Lets the current run finish, unless a second signal comes.
void say_goodbye(Node& node, const Signals& signals, const std::filesystem::path& socket) {
  std::atomic<bool> done = false;
  std::thread ending([&] {
    node.finish(farewell);
    done = true;
  });
  while (!done)
    if (signals.wait_for(50ms)) {
      ::unlink(socket.c_str());
      std::_Exit(1);  // like a crash, which is safe: journal and files are always consistent
    }
  ending.join();
}

}  // namespace

NodeOptions node_options(const AgentConfig& config, const WorkMaterial& material, const AgentKeys& keys,
                         LogSink log) {
  const auto milliseconds = [](double seconds) { return Milliseconds(static_cast<long>(1000 * seconds)); };
  NodeOptions options;
  options.self = material.self;
  for (const CharterAgent& agent : material.charter.agents)
    options.everybody.push_back({agent.name, agent.address, agent.certificate, agent.identity});
  options.graph = with_helpers(material.charter.graph(), 0);
  options.agreement.hash = charter_hash(material.charter);
  for (const CharterField& field : charter_fields(material.charter))
    options.agreement.fields.emplace_back(field.name, field.value);
  options.listen = config.listen;
  options.private_key = keys.tls_key;
  options.identity = &keys.identity;
  options.journal = config.state / "journal";
  options.timeouts.gather = milliseconds(material.charter.timeouts.gather);
  options.timeouts.loss = milliseconds(material.charter.timeouts.loss);
  options.timeouts.silence = milliseconds(material.charter.timeouts.silence);
  options.timeouts.queue = milliseconds(material.charter.timeouts.queue);
  options.most_request_bytes = most_request_bytes(material.charter);
  options.release = release();
  options.log = std::move(log);
  return options;
}

void run_agent(const AgentConfig& config) {
  const Signals signals;
  refuse_dumps();
  const BlasThreads one_each(1);  // experts run side by side, and round as the simulator's do
  Preflight report = checked(config, make_log(config.json_log, config.log_level, "agent"));
  const AgentKeys keys = std::move(*report.keys);
  const LogSink log = make_log(config.json_log, config.log_level, keys.card.name);
  const FolderLock lock(config.state);

  const WorkMaterial& material = *report.material;
  const Charter& charter = material.charter;
  Policy policy(config.policy, charter.name_of(material.self), config.state / "policy.json");
  Work work(material, keys.identity, policy, log);

  Tally tally;
  NodeProgram program;
  program.consent = [&](const Run& run) { return work.consent(run); };
  program.program = [&](Channel& net, const Run& run) { return work.program(net, run); };
  program.ended = [&](const Run& run, const RunOutcome& outcome) {
    tally.ended(run.request.kind, outcome);
    const std::string& asker = charter.name_of(run.originator);
    const std::string what = fmt::format("{} requested by {}", run.request.kind, asker);
    if (outcome.done)
      log(LogLevel::info, fmt::format("{}: done, {} agents took part", what, run.roster.size()));
    else if (outcome.withdrawn)
      log(LogLevel::info, fmt::format("{}: withdrawn by {}", what, asker));
    else
      log(LogLevel::warning, fmt::format("{}: failed: {}", what, outcome.error));
  };
  program.refused = [&](const Run& run) { tally.refused_to_peer(run.request.kind); };
  Node node(node_options(config, material, keys, log), std::move(program));
  {
    const ControlServer control(config.control, work, policy,
                                {.ask =
                                     [&](Asking asking, auto answer) {
                                       return node.ask(std::move(asking.request), std::move(asking.roster),
                                                       std::move(answer));
                                     },
                                 .withdraw = [&](std::uint64_t request) { node.withdraw(request); },
                                 .status = [&](control::StatusReply& reply) { fill_in(reply, node, work); },
                                 .log = log,
                                 .tally = &tally});
    std::optional<MetricsServer> metrics;
    if (config.metrics)
      metrics.emplace(*config.metrics, [&, since = std::chrono::steady_clock::now()] {
        const auto held = work.held();
        return metrics_text(
            {.release = release(),
             .agent = keys.card.name,
             .up_seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - since).count(),
             .node = node.status(),
             .requests = tally.by_kind(),
             .model_version = held ? held->sealed.model.version : 0});
      });
    log(LogLevel::info,
        fmt::format("listening on {}, control socket {}", node.address(), config.control.string()));
    const std::string signal = signals.wait();
    log(LogLevel::info, fmt::format("{}: finishing the current run; no new run starts", signal));
    say_goodbye(node, signals, config.control);
  }
  log(LogLevel::info, "stopped");
}

}  // namespace tacit
