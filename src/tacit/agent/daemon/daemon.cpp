#include "tacit/agent/daemon/daemon.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <thread>
#include <utility>

#include "tacit/agent/control/control.hpp"
#include "tacit/agent/control/metrics.hpp"
#include "tacit/agent/daemon/configuration.hpp"
#include "tacit/agent/daemon/log.hpp"
#include "tacit/agent/daemon/reloads.hpp"
#include "tacit/agent/daemon/signals.hpp"
#include "tacit/agent/daemon/utc.hpp"
#include "tacit/agent/work/history.hpp"
#include "tacit/agent/work/refit.hpp"
#include "tacit/base/error.hpp"
#include "tacit/base/system/descriptors.hpp"
#include "tacit/base/system/release.hpp"
#include "tacit/gp/expert/blas_threads.hpp"
#include "tacit/identity/encoding.hpp"
#include "tacit/link/node/node.hpp"
#include "tacit/link/transport/listener.hpp"
#include "tacit/link/transport/quiet_log.hpp"
#include "tacit/secrecy/wiped.hpp"

namespace tacit {
namespace {

using namespace std::chrono_literals;

constexpr auto finish_limit = 20s;  // for the current run
// An asker must not fill the log. The history of requests has all runs.
constexpr std::size_t most_run_lines = QuietLog::most_of_group;
constexpr auto port_limit = 5s;  // at a reload, for the port of `listen` to become free
constexpr auto port_again = 200ms;

// Allows one agent per state folder.
class FolderLock {
 public:
  explicit FolderLock(const std::filesystem::path& folder) {
    const auto file = folder / "lock";
    handle_ = ::open(file.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0600);
    if (handle_ < 0)
      throw Error(fmt::format("{}: the file cannot be opened: {}", file.string(), std::strerror(errno)));
    if (::flock(handle_, LOCK_EX | LOCK_NB) != 0) {
      ::close(handle_);
      throw Error(fmt::format("{}: another agent uses this state folder; stop it, or choose another folder",
                              folder.string()));
    }
  }
  ~FolderLock() { ::close(handle_); }
  FolderLock(const FolderLock&) = delete;

 private:
  int handle_ = -1;
};

// A pre-flight check failed. The text is for the owner's terminal, because it may show a cell.
class PreflightError : public InputError {
 public:
  PreflightError(const Finding& first, bool may_pass)
      : InputError(first.text), quietly(first.log), may_pass_(may_pass) {}
  const std::string quietly;  // the text for the log, without cells
  // Throws Error, after which a service manager retries, if the problem may disappear without a change.
  [[noreturn]] void end(const std::string& what) const {
    if (may_pass_) throw Error(what + quietly);
    throw InputError(what + quietly);
  }

 private:
  const bool may_pass_;
};

// Throws PreflightError. Good findings are logged only if the agent does not run yet.
Preflight checked(const AgentConfig& config, RowHome& home, const LogSink& log, bool runs) {
  Preflight report = preflight(config, Signing::required, home);
  const Finding* first = nullptr;
  bool may_pass = true;
  for (const Finding& finding : report.findings) {
    const bool error = finding.kind == Finding::Kind::error;
    const bool good = finding.kind == Finding::Kind::good;
    if (!(runs && good))
      log(error ? LogLevel::error : good ? LogLevel::info : LogLevel::warning, "pre-flight: " + finding.log);
    if (!error) continue;
    if (!first) first = &finding;
    may_pass = may_pass && finding.may_pass;
  }
  if (first) throw PreflightError(*first, may_pass);
  return report;
}

void fill_in(control::StatusReply& reply, const Node& node, const RunHandler& handler) {
  const NodeStatus now = node.status();
  reply.set_listen(node.address());
  reply.set_waiting(now.waiting);
  const auto doing = handler.doing();
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

// Waits for the current run to finish. Returns whether a signal to stop arrived meanwhile; more than
// `allowed` of them end the agent at once.
bool finish_current_run(Node& node, const Signals& signals, const std::filesystem::path& socket,
                        int allowed) {
  int heard = 0;
  std::atomic<bool> done = false;
  std::thread ending([&] {
    node.finish(finish_limit);
    done = true;
  });
  while (!done)
    if (signals.hurry(50ms) && ++heard > allowed) {
      ::unlink(socket.c_str());
      std::_Exit(1);  // as safe as a crash: journal and files are always consistent
    }
  ending.join();
  return heard > 0;
}

}  // namespace

NodeOptions node_options(const AgentConfig& config, const WorkMaterial& material, const AgentKeys& keys,
                         LogSink log) {
  const auto milliseconds = [](double seconds) { return Milliseconds(static_cast<long>(1000 * seconds)); };
  NodeOptions options;
  options.self = material.self;
  for (const CharterAgent& agent : material.charter.agents)
    options.everybody.push_back({agent.name, agent.address, agent.certificate, agent.identity});
  options.graph = material.charter.graph();
  options.agreement.hash = charter_hash(material.charter);
  for (const CharterField& field : charter_fields(material.charter))
    options.agreement.fields.emplace_back(field.name, field.value);
  options.listen = config.listen;
  options.private_key = keys.tls_key;
  options.identity = &keys.identity;
  if (material.only_home.empty()) options.journal = journal_folder(config.state, material.charter);
  options.timeouts.gather = milliseconds(material.charter.timeouts.gather);
  options.timeouts.loss = milliseconds(material.charter.timeouts.loss);
  options.timeouts.silence = milliseconds(material.charter.timeouts.silence);
  options.timeouts.queue = milliseconds(material.charter.timeouts.queue);
  options.most_request_bytes = most_request_bytes(material.charter);
  options.release = release();
  options.log = std::move(log);
  return options;
}

namespace {

// The agent process. It serves one configuration after the other, as its files change.
class Daemon {
 public:
  Daemon(std::filesystem::path file, OpenPage open_page, RowHome& home)
      : file_(std::move(file)), open_page_(std::move(open_page)), home_(home) {}

  void run(AgentConfig config) {
    Preflight report = checked_at_start(config);
    const FolderLock lock(config.state);
    std::optional<Configuration> now = load_configuration(std::move(config), std::move(report), home_);
    record_history(*now);
    for (const std::string& words : now->words) log_of (*now)(LogLevel::info, words);
    if (const std::string& why = now->material.only_home; !why.empty())
      log_of (*now)(LogLevel::error,
                    "this agent does not take part in runs and answers only at home: " + why);
    for (load_ = 1; now; ++load_) {
      try {
        std::optional<Configuration> next = serve(*now);
        if (next) before_ = std::move(now);
        now = std::move(next);
      } catch (const Error& e) {
        if (!before_) throw;  // it had started, or there is no previous configuration
        log_of (*now)(
            LogLevel::error,
            fmt::format(
                "the agent cannot run with the changed files and continues with the previous ones: {}",
                e.what()));
        now = std::exchange(before_, std::nullopt);
      }
    }
  }

 private:
  Preflight checked_at_start(const AgentConfig& config) const {
    try {
      return checked(config, home_, make_log(config.json_log, config.log_level, "agent"), false);
    } catch (const PreflightError& e) {
      e.end("the agent does not start: ");
    }
  }

  static LogSink log_of(const Configuration& now) {
    return make_log(now.config.json_log, now.config.log_level, now.keys.card.name);
  }

  // Records requests. Exports and reloads are not requests to other agents.
  void record_history(const Configuration& now) {
    history_.emplace(History::file_in(now.config.state), log_of(now));
    counts_.listen([this, self = now.keys.card.name](EndedRequest ended) {
      if (!std::ranges::any_of(all_request_kinds,
                               [&](RequestKind one) { return to_string(one) == ended.kind; }))
        return;
      if (ended.asker.empty()) ended.asker = self;
      history_->add(ended);
    });
  }

  // Runs until the agent is stopped or its files change; then returns the new configuration.
  std::optional<Configuration> serve(const Configuration& now) {
    const LogSink log = log_of(now);
    const Charter& charter = now.material.charter;
    const std::string self = charter.name_of(now.material.self);
    Policy policy(now.config.policy, self, now.config.state / "policy.json");
    if (!policy.fault().empty()) log(LogLevel::error, policy.fault());
    WorkMaterial material = now.material;
    RunHandler handler(std::move(material), now.keys.identity, policy, log);
    const std::unique_ptr<Node> started = start_node(now, handler, log);
    if (!started) return std::nullopt;
    Node& node = *started;
    refits_.set(charter.protocol.refits ? now.config.refit_every : std::nullopt);
    waiting_ = now.waiting;
    reloads_.open();
    std::optional<Configuration> next;
    {
      LocalServers servers(log);
      const ControlServer control(now.config.control, handler, policy,
                                  backend_of(node, handler, servers, log));
      if (now.config.metrics)
        servers.add("metrics.listen", [&] {
          return std::make_shared<MetricsServer>(
              *now.config.metrics, [&] { return metrics_of(self, node, handler); }, log);
        });
      if (now.config.page)
        servers.add("page.listen", [&, served = served_charter(now.material, log)] {
          return open_page_(now.config, served, log);
        });
      log(LogLevel::info,
          fmt::format("listening on {}, control socket {}", node.address(), now.config.control.string()));
      before_.reset();  // the start has succeeded
      for (Event event; !next && (event = signals_.wait(due(handler))) != Event::stop;)
        next = event == Event::reload ? reload_files(now, log) : fit_if_due(now, node, handler, log);
      log(LogLevel::info, next ? "restarting with the changed files after the current run"
                               : "stopping: finishing the current run; no new run starts");
      if (finish_current_run(node, signals_, now.config.control, next ? 1 : 0)) next.reset();
      reloads_.close();  // no request may wait for an answer when the socket closes
      servers.close();   // before the socket, which the page uses
    }
    if (!next) log(LogLevel::info, "stopped");
    return next;
  }

  // At a reload, another program may have the port for a moment. Null if the agent is stopped meanwhile.
  std::unique_ptr<Node> start_node(const Configuration& now, RunHandler& handler, const LogSink& log) {
    const auto until = std::chrono::steady_clock::now() + port_limit;
    for (bool first = true;; first = false) {
      try {
        return std::make_unique<Node>(node_options(now.config, now.material, now.keys, log),
                                      program_of(handler, now.material.charter, log));
      } catch (const ListenError& e) {
        if (load_ == 1 || std::chrono::steady_clock::now() >= until) throw;
        if (first)
          log(LogLevel::warning, fmt::format("{}; trying again for {} s", e.what(), port_limit.count()));
      }
      if (signals_.hurry(port_again)) {
        log(LogLevel::info, "stopped");
        return nullptr;
      }
    }
  }

  double up_seconds() const {
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - since_).count();
  }

  std::string metrics_of(const std::string& self, const Node& node, const RunHandler& handler) const {
    const auto held = handler.held();
    return metrics_text({.release = release(),
                         .agent = self,
                         .up_seconds = up_seconds(),
                         .node = node.status(),
                         .requests = counts_.by_kind(),
                         .model_version = held ? held->sealed.model.version : 0});
  }

  NodeProgram program_of(RunHandler& handler, const Charter& charter, const LogSink& log) {
    NodeProgram program;
    program.consent = [&handler](const RunDescription& run) { return handler.consent(run); };
    program.program = [&handler](Run& net, const RunDescription& run) { return handler.program(net, run); };
    program.ended = [this, &charter, quiet = std::make_shared<QuietLog>(log)](const RunDescription& run,
                                                                              const RunOutcome& outcome) {
      const std::string& asker = charter.name_of(run.originator);
      counts_.ended(run.request.kind, outcome, asker);
      const std::string what = fmt::format("{} requested by {}", run.request.kind, asker);
      const auto write = [&](LogLevel level, const char* how, const std::string& text) {
        quiet->write_at_most(most_run_lines, level, fmt::format("{} {}", how, asker), text);
      };
      if (outcome.done)
        write(LogLevel::info, "done", fmt::format("{}: done, {} agents took part", what, run.roster.size()));
      else if (outcome.withdrawn)
        write(LogLevel::info, "withdrawn", fmt::format("{}: withdrawn by {}", what, asker));
      else
        write(LogLevel::warning, "failed", fmt::format("{}: failed: {}", what, outcome.error));
    };
    program.refused = [this, &charter](const RunDescription& run, const std::string& why) {
      counts_.refused_to_peer(run.request.kind, charter.name_of(run.originator), why);
    };
    return program;
  }

  ControlBackend backend_of(Node& node, RunHandler& handler, const LocalServers& servers,
                            const LogSink& log) {
    return {.ask =
                [&node](OwnRequest asking, auto answer) {
                  return node.ask(std::move(asking.request), std::move(asking.roster), std::move(answer));
                },
            .withdraw = [&node](std::uint64_t request) { node.withdraw(request); },
            .status =
                [this, &node, &handler, &servers](control::StatusReply& reply) {
                  fill_in(reply, node, handler);
                  servers.report(reply);
                  reply.set_load(load_);
                  reply.set_up_seconds(up_seconds());
                  const std::lock_guard lock(guard_);
                  reply.set_rows_waiting(waiting_);
                  if (!refused_.empty()) reply.add_notes(refused_);
                  if (const auto when = due(handler)) reply.set_refit(to_text(*when));
                },
            .reload = [this] { return reloads_.ask(); },
            .evaluated =
                [this](const requests::Evaluated& score, std::uint64_t version) {
                  history_->add(PastScore{.time = {},
                                          .version = version,
                                          .rows = score.rows(),
                                          .rmse = score.rmse(),
                                          .log_density = score.log_density()});
                },
            .log = log,
            .counts = &counts_};
  }

  // Reads the files again. Returns the new configuration, or nullopt if nothing changed.
  std::optional<Configuration> reload_files(const Configuration& now, const LogSink& log) {
    try {
      AgentConfig config = read_agent_config(file_);
      Preflight report = checked(config, home_, log, true);
      std::vector<std::string> warnings;
      for (const Finding& finding : report.findings)
        if (finding.kind == Finding::Kind::warning && finding.text.starts_with("listen"))
          warnings.push_back(finding.text);
      ReloadedConfiguration again = reload_configuration(now, std::move(config), std::move(report), home_);
      for (const std::string& words : again.words) log(LogLevel::info, words);
      {
        const std::lock_guard lock(guard_);
        waiting_ = again.waiting;
        refused_.clear();
      }
      control::ReloadReply reply;
      for (const std::string& words : warnings) reply.add_words(words);
      for (const std::string& words : again.words) reply.add_words(words);
      if (again.next) reply.set_load(load_ + 1);
      if (again.words.empty()) log(LogLevel::info, "reloaded the files: nothing has changed");
      reloads_.answer(reply);
      return std::move(again.next);
    } catch (const PreflightError& e) {
      reload_failed(e.quietly, InputError(fmt::format("nothing was changed: {}", e.what())), log);
    } catch (const InputError& e) {
      reload_failed(e.what(), e, log);
    } catch (const Error& e) {
      reload_failed(e.what(), e, log);
    }
    return std::nullopt;
  }

  template <class Kind>
  void reload_failed(const std::string& why, const Kind& error, const LogSink& log) {
    log(LogLevel::error,
        fmt::format("the files could not be reloaded, and the agent continues as before: {}", why));
    counts_.refused_at_home("reload", why);
    {
      const std::lock_guard lock(guard_);
      refused_ = fmt::format("At {} this agent could not reload its files and continued as before: {}",
                             to_text(utc_now()), why);
    }
    reloads_.answer(std::make_exception_ptr(error));
  }

  std::optional<UtcTime> due(const RunHandler& handler) const {
    const auto held = handler.held();
    return refits_.due(held ? parse_utc(held->sealed.model.fitted_at) : std::nullopt);
  }

  // Requests the automatic fit if it is due, on a new snapshot if there is one.
  std::optional<Configuration> fit_if_due(const Configuration& now, Node& node, RunHandler& handler,
                                          const LogSink& log) {
    if (const auto when = due(handler); !when || *when > utc_now())
      return std::nullopt;  // another fit came first
    if (!fresh_) {
      fresh_ = true;  // also for the next configuration, which starts at once
      if (auto next = reload_files(now, log)) return next;
    }
    fresh_ = false;
    refits_.asked(utc_now());
    try {
      OwnRequest asking = handler.fit(random_hex_name(), {}, 0, true);
      node.ask(std::move(asking.request), std::move(asking.roster), [this, log](const RunOutcome& outcome) {
        if (outcome.done) return log(LogLevel::info, "refit: done");
        if (outcome.began) return;  // the line of the run has the reason
        if (outcome.refusal && outcome.refusal->code == ReasonCode::version_taken)
          return log(LogLevel::info, "refit: another agent's fit came first");
        counts_.ended("fit", outcome);
        log(LogLevel::warning, fmt::format("refit: {}; trying again later", outcome.error));
      });
    } catch (const Error& e) {
      counts_.refused_at_home("fit", e.what());
      log(LogLevel::warning, fmt::format("refit: {}; trying again later", e.what()));
    }
    return std::nullopt;
  }

  const std::filesystem::path file_;
  const OpenPage open_page_;
  RowHome& home_;
  const Signals signals_;  // first: later threads inherit the blocked signals
  Reloads reloads_{&Signals::wake};
  Refits refits_;
  std::optional<History> history_;
  RequestCounts counts_;  // over all configurations
  const std::chrono::steady_clock::time_point since_ = std::chrono::steady_clock::now();
  std::uint64_t load_ = 0;
  std::optional<Configuration> before_;  // the previous configuration, until the next one has started
  bool fresh_ = false;                   // the files were reloaded for the fit that is due
  std::mutex guard_;
  std::string waiting_;  // how the source differs from the snapshot
  std::string refused_;  // why the last reload failed
};

}  // namespace

void run_agent(const std::filesystem::path& file, AgentConfig config, OpenPage open_page, RowHome& home) {
  raise_descriptor_limit();
  Daemon daemon(file, std::move(open_page), home);
  refuse_dumps();
  const BlasThreads one_each(1);  // experts run in parallel, and round as in the simulator
  daemon.run(std::move(config));
}

}  // namespace tacit
