#include <fmt/format.h>
#include <grpcpp/grpcpp.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <optional>
#include <thread>

#include "tacit/agent/control/control.grpc.pb.h"
#include "tacit/agent/control/control.hpp"
#include "tacit/agent/daemon/peer_diagnosis.hpp"
#include "tacit/agent/model/model_for_display.hpp"
#include "tacit/agent/work/pending_requests.hpp"
#include "tacit/base/error.hpp"
#include "tacit/base/system/release.hpp"
#include "tacit/identity/encoding.hpp"
#include "tacit/link/transport/acceptor.hpp"

namespace tacit {
namespace {

using namespace std::chrono_literals;
using control::Nothing;
using Writer = grpc::ServerWriter<control::Progress>;

constexpr int most_asks = 64;  // that may wait at the same time
constexpr int most_tries = 4;  // of a request when fits come in between
constexpr std::size_t most_connections = 256;
constexpr int most_idle_milliseconds = 60'000;     // of a connection without a request
constexpr int most_greeting_milliseconds = 5'000;  // until a client has sent its settings

class Service final : public control::Control::Service {
 public:
  Service(RunHandler& handler, Policy& policy, ControlBackend backend)
      : handler_(handler), policy_(policy), backend_(std::move(backend)) {}

  void stop() {
    stopping_ = true;
    handler_.nudge();
  }
  bool busy() const { return busy_ > 0; }
  const LogSink& log() const { return backend_.log; }

 private:
  struct OneMore {
    std::atomic<int>& count;
    const int now = ++count;
    ~OneMore() { --count; }
  };

  grpc::Status Fit(grpc::ServerContext* context, const control::FitAsk* fit, Writer* writer) override {
    const std::vector<std::string> without(fit->without().begin(), fit->without().end());
    return answer(
        RequestKind::fit, context, writer,
        [&](const std::string& ask, std::uint64_t version) { return handler_.fit(ask, without, version); },
        [&](control::Progress& last, const std::string& result) {
          last.mutable_fitted()->ParseFromString(result);
          for (const std::string& words : handler_.ledger().what_rosters_show()) last.add_notes(words);
        });
  }

  grpc::Status Predict(grpc::ServerContext* context, const control::Points* points, Writer* writer) override {
    if (!points->together())
      return refusable(to_string(RequestKind::predict), [&] { at_home(*points, *writer); });
    return answer(
        RequestKind::predict, context, writer,
        [&](const std::string& ask, std::uint64_t) { return handler_.predict(ask, matrix_of(*points)); },
        [](control::Progress& last, const std::string& result) {
          last.mutable_predicted()->ParseFromString(result);
        });
  }

  Matrix matrix_of(const control::Points& points) const {
    const struct Charter& charter = handler_.material().charter;
    const std::size_t inputs = width(charter.inputs);
    if (points.points() == 0 || points.points() > charter.protocol.points ||
        static_cast<std::uint64_t>(points.values_size()) != points.points() * inputs)
      throw InputError(fmt::format("a request must have 1 to {} points of {} inputs each",
                                   charter.protocol.points, inputs));
    return Eigen::Map<const Matrix>(points.values().data(), static_cast<Index>(points.points()),
                                    static_cast<Index>(inputs));
  }

  // Answers immediately, also during a run.
  void at_home(const control::Points& points, Writer& writer) {
    RunHandler::AtHome found = handler_.predict_at_home(matrix_of(points));
    control::Progress last;
    *last.mutable_predicted() = std::move(found.predicted);
    last.set_at_home(true);
    tell_who(last, found.roster);
    for (std::string& note : found.notes) last.add_notes(std::move(note));
    writer.Write(last);
  }

  grpc::Status Export(grpc::ServerContext*, const control::ExportAsk* ask,
                      grpc::ServerWriter<control::Part>* writer) override {
    return refusable("export", [&] {
      const std::string file = handler_.portable(ask->with_experts()).to_file();
      constexpr std::size_t most = 1 << 20;
      for (std::size_t at = 0; at < file.size(); at += most) {
        control::Part part;
        part.set_bytes(file.substr(at, most));
        if (!writer->Write(part)) return;
      }
    });
  }

  grpc::Status Evaluate(grpc::ServerContext* context, const Nothing*, Writer* writer) override {
    std::uint64_t version = 0;
    return answer(
        RequestKind::evaluate, context, writer,
        [&](const std::string& ask, std::uint64_t) {
          OwnRequest asking = handler_.evaluate(ask);
          if (const auto held = handler_.held()) version = held->sealed.model.version;
          return asking;
        },
        [&](control::Progress& last, const std::string& result) {
          last.mutable_evaluated()->ParseFromString(result);
          backend_.evaluated(last.evaluated(), version);
        });
  }

  grpc::Status Charter(grpc::ServerContext*, const Nothing*, control::CharterReply* reply) override {
    reply->set_toml(to_toml(handler_.material().charter));
    reply->set_self(handler_.material().charter.name_of(handler_.material().self));
    return grpc::Status::OK;
  }

  grpc::Status Reload(grpc::ServerContext*, const Nothing*, control::ReloadReply* reply) override {
    const OneMore one{busy_};
    try {
      *reply = backend_.reload();  // it logs and counts failures itself
      return grpc::Status::OK;
    } catch (const InputError& e) {
      return {grpc::StatusCode::INVALID_ARGUMENT, e.what()};
    } catch (const std::exception& e) {
      return {grpc::StatusCode::ABORTED, e.what()};
    }
  }

  grpc::Status Status(grpc::ServerContext*, const Nothing*, control::StatusReply* reply) override {
    const WorkMaterial& material = handler_.material();
    reply->set_name(material.charter.name_of(material.self));
    reply->set_charter(hex(charter_hash(material.charter)));
    reply->set_charter_number(material.charter.number);
    reply->set_rows_taken_at(material.taken_at);
    reply->set_rows_name(handler_.rows());
    reply->set_last_version(handler_.models().highest());
    reply->set_title(material.charter.title);
    reply->set_rows(material.data->rows());
    reply->set_holdout_rows(static_cast<std::uint64_t>(material.holdout.inputs.rows()));
    reply->set_dropped(material.dropped);
    reply->set_holdout_dropped(material.holdout_dropped);
    reply->set_up_seconds(std::chrono::duration<double>(std::chrono::steady_clock::now() - since_).count());
    reply->set_fewest_agents(handler_.fewest());
    if (const auto held = handler_.held()) {
      *reply->mutable_model() = shown(held->sealed, material.charter);
      reply->set_rows_changed(held->rows_changed);
    }
    const LedgerState ledger = handler_.ledger().state();
    reply->set_ledger_lines(ledger.lines);
    reply->set_ledger_hash(ledger.last);
    for (const std::string& why : {material.only_home, ledger.unusable})
      if (!why.empty())
        reply->add_notes("This agent does not take part in runs and answers only at home: " + why);
    if (!policy_.fault().empty()) reply->add_notes(policy_.fault());
    for (const std::string& words : ledger.continued) reply->add_notes("Ledger: " + words);
    for (const std::string& words : handler_.ledger().what_rosters_show()) reply->add_notes(words);
    reply->set_release(release());
    fill_in_peers(*reply);
    if (backend_.counts) {
      const RequestCount all = backend_.counts->total();
      reply->set_runs_done(all.done);
      reply->set_runs_failed(all.failed);
      reply->set_runs_withdrawn(all.withdrawn);
      reply->set_requests_refused(all.refused());
    }
    return grpc::Status::OK;
  }

  grpc::Status Stop(grpc::ServerContext*, const control::StopAsk* which, Nothing*) override {
    if (const auto one = pending_.find(which->ask())) one->stop();  // otherwise it has ended
    handler_.nudge();
    return grpc::Status::OK;
  }

  // Fills in the peers, the state of their links, and why links are down.
  void fill_in_peers(control::StatusReply& reply) const {
    const WorkMaterial& material = handler_.material();
    for (AgentId i = 0; i < material.charter.agents.size(); ++i) {
      if (i == material.self) continue;
      control::Peer& peer = *reply.add_peers();
      peer.set_name(material.charter.name_of(i));
      peer.set_address(material.charter.agents[i].address);
      for (const RequestKind kind : all_request_kinds)
        if (const auto left = policy_.left(peer.name(), kind)) {
          control::Left& one = *peer.add_left();
          one.set_kind(to_string(kind));
          one.set_count(*left);
        }
    }
    backend_.status(reply);
    diagnose_peers(reply);
  }

  template <class Make, class Take>
  grpc::Status answer(RequestKind request, grpc::ServerContext* context, Writer* writer, Make&& make,
                      Take&& take) {
    const std::string kind = to_string(request);
    const OneMore one{asks_};
    return refusable(kind, [&]() -> grpc::Status {
      if (one.now > most_asks)
        throw Error(fmt::format("{} requests are already waiting; try again later", most_asks));
      const NamedRequest named(pending_, backend_.withdraw);
      control::Progress first;
      first.set_ask(named.name);
      writer->Write(first);
      std::uint64_t version = 0;  // of a fit; 0: the next free version here
      for (int tries = 1;; ++tries) {
        handler_.wait([&](const auto& doing) {  // the current run may be a fit
          return !doing || unwanted(context) || named.request->stopped();
        });
        if (unwanted(context)) return why_unwanted(context);
        if (named.request->stopped()) return not_done(kind, {.error = "", .withdrawn = true}, {});
        const std::string ask = random_hex_name();
        const Digest model = model_held();
        const auto pending = std::make_shared<PendingOutcome>();
        const OwnRequest asking = make(ask, version);
        named.request->asked(backend_.ask(asking, [&handler = handler_, pending](RunOutcome outcome) {
          pending->arrive(std::move(outcome));
          handler.nudge();
        }));
        follow(context, writer, ask, *pending);
        if (unwanted(context)) {
          pending->leave_to(noting(kind));
          return why_unwanted(context);
        }
        const RunOutcome& outcome = *pending->outcome();
        if (!outcome.done && tries < most_tries && !named.request->stopped()) {
          // Another fit came first, so the request was about an older model, or its version is taken.
          version = version_free(outcome);
          if (version > 0 || model_held() != model) continue;
        }
        if (!outcome.done) return not_done(kind, outcome, asking.roster);
        control::Progress last;
        take(last, outcome.result);
        tell_who(last, asking.roster);
        writer->Write(last);
        return grpc::Status::OK;
      }
    });
  }

  // The answer for a failed request. A run that ended here is already logged and counted.
  grpc::Status not_done(const std::string& kind, const RunOutcome& outcome,
                        const std::vector<AgentId>& roster) const {
    noting(kind)(outcome);
    if (outcome.withdrawn) return {grpc::StatusCode::CANCELLED, how_it_was_stopped(kind, outcome, roster)};
    return {outcome.bad_input ? grpc::StatusCode::INVALID_ARGUMENT : grpc::StatusCode::ABORTED,
            outcome.error + what_can_be_done(outcome, roster.size())};
  }

  // Logs and counts a request that failed without a run. The outcome may arrive after this object is
  // destroyed.
  std::function<void(const RunOutcome&)> noting(const std::string& kind) const {
    return [kind, self = handler_.material().self, log = backend_.log,
            counts = backend_.counts](const RunOutcome& outcome) {
      if (outcome.done || outcome.began) return;
      if (outcome.refusal && outcome.refused_by == self)
        return note_refused(kind, outcome.error, log, counts);
      log(outcome.withdrawn ? LogLevel::info : LogLevel::warning,
          outcome.withdrawn ? fmt::format("{} requested here: withdrawn before it began", kind)
                            : fmt::format("{} requested here: failed: {}", kind, outcome.error));
      if (counts) counts->ended(kind, outcome);
    };
  }
  static void note_refused(const std::string& kind, const std::string& why, const LogSink& log,
                           RequestCounts* counts) {
    log(LogLevel::warning, fmt::format("{} requested here: refused: {}", kind, why));
    if (counts) counts->refused_at_home(kind, why);
  }
  void note_refused(const std::string& kind, const std::string& why) const {
    note_refused(kind, why, backend_.log, backend_.counts);
  }

  std::string how_it_was_stopped(const std::string& kind, const RunOutcome& outcome,
                                 const std::vector<AgentId>& roster) const {
    Roster others;
    for (const AgentId agent : roster)
      if (agent != handler_.material().self) others.push_back(handler_.material().charter.name_of(agent));
    std::string words = outcome.began ? fmt::format("stopped: {} {} notified; ", listed(others),
                                                    others.size() == 1 ? "was" : "were")
                                      : "stopped before the run began; ";
    const auto held = handler_.held();
    if (kind != to_string(RequestKind::fit))
      words += "no answer was computed";
    else if (held)
      words += fmt::format("no model was created, and version {} remains in use", held->sealed.model.version);
    else
      words += "no model was created";
    if (outcome.opened > 0)
      words += fmt::format("; {} numbers had already been opened and remain in the ledger", outcome.opened);
    return words;
  }

  // Runs `work`. Its errors are refusals by this agent.
  template <class Do>
  grpc::Status refusable(const std::string& kind, Do&& work) {
    const OneMore one{busy_};
    try {
      if constexpr (std::is_void_v<decltype(work())>) {
        work();
        return grpc::Status::OK;
      } else {
        return work();
      }
    } catch (const Refused& e) {  // the text shows a point, so it must not be logged
      const bool points = e.reason().code == ReasonCode::outside_agreement;
      note_refused(kind, points ? in_words(e.reason()) : e.what());
      return {grpc::StatusCode::INVALID_ARGUMENT, e.what()};
    } catch (const InputError& e) {
      note_refused(kind, e.what());
      return {grpc::StatusCode::INVALID_ARGUMENT, e.what()};
    } catch (const std::exception& e) {
      note_refused(kind, e.what());
      return {grpc::StatusCode::ABORTED, e.what()};
    }
  }

  Digest model_held() const {
    const auto held = handler_.held();
    return held ? held->sealed.digest : Digest{};
  }

  // The advice if agents of the roster were away.
  std::string what_can_be_done(const RunOutcome& outcome, std::size_t roster) const {
    if (outcome.away.empty()) return "";
    Roster names;
    for (const AgentId agent : outcome.away) names.push_back(handler_.material().charter.name_of(agent));
    control::StatusReply links;
    fill_in_peers(links);
    std::string why;
    for (const control::Peer& peer : links.peers())
      if (!peer.why().empty() && std::count(names.begin(), names.end(), peer.name()) > 0)
        why += fmt::format("; {} ({}): {}", peer.name(), peer.address(), peer.why());
    if (roster - outcome.away.size() < handler_.fewest())
      return fmt::format("{}; wait until all are back: charter and policy require {} agents", why,
                         handler_.fewest());
    return why +
           fmt::format(
               "; wait until all are back or, if every owner allows it (policy.without), fit a model without "
               "{}: `without={}`",
               listed(names), fmt::join(names, ","));
  }

  // The version after the highest that a refusing agent has signed; 0 if the version was not the reason.
  static std::uint64_t version_free(const RunOutcome& outcome) {
    const bool taken = outcome.refusal && outcome.refusal->code == ReasonCode::version_taken;
    return taken ? outcome.refusal->detail + 1 : 0;
  }

  // The client has gone, or the server stops. A client's disconnection is noticed at the next event, at the
  // latest when its request ends.
  bool unwanted(grpc::ServerContext* context) const { return stopping_ || context->IsCancelled(); }
  grpc::Status why_unwanted(grpc::ServerContext* context) const {
    if (context->IsCancelled()) return grpc::Status::CANCELLED;
    return {grpc::StatusCode::ABORTED, "the agent was stopped during the request"};
  }

  // Streams progress until the outcome is known or the client has gone.
  void follow(grpc::ServerContext* context, Writer* writer, const std::string& ask,
              const PendingOutcome& pending) {
    std::string sent;
    bool began = false, over = false;
    for (;;) {
      std::string words;
      handler_.wait([&](const auto& doing) {
        const bool now = doing && doing->ask == ask;
        began = began || now;
        words = now ? doing->words : began ? sent : "waiting for its turn";
        over = pending.outcome() || unwanted(context);
        return over || words != sent;
      });
      if (over) return;
      control::Progress progress;
      progress.set_words(sent = words);
      writer->Write(progress);
    }
  }

  void tell_who(control::Progress& last, const std::vector<AgentId>& roster) const {
    const struct Charter& charter = handler_.material().charter;
    for (AgentId i = 0; i < charter.agents.size(); ++i) {
      const bool there = std::binary_search(roster.begin(), roster.end(), i);
      *(there ? last.add_roster() : last.add_without()) = charter.name_of(i);
    }
  }

  RunHandler& handler_;
  Policy& policy_;
  const ControlBackend backend_;
  const std::chrono::steady_clock::time_point since_ = std::chrono::steady_clock::now();
  std::atomic<bool> stopping_ = false;
  std::atomic<int> asks_ = 0, busy_ = 0;
  PendingRequests pending_;
};

Listener listen_on_file(const std::filesystem::path& socket) {
  try {
    return Listener::unix_socket(socket);
  } catch (const Error& e) {
    throw Error(fmt::format("the control socket {} cannot be created ({}); check that its folder is writable",
                            socket.string(), e.what()));
  }
}

}  // namespace

struct ControlServer::State {
  State(RunHandler& handler, Policy& policy, ControlBackend backend)
      : service(handler, policy, std::move(backend)) {}
  Service service;
  std::filesystem::path socket;
  std::unique_ptr<grpc::Server> server;
  std::optional<Acceptor> acceptor;
};

ControlServer::ControlServer(const std::filesystem::path& socket, RunHandler& handler, Policy& policy,
                             ControlBackend backend)
    : state_(std::make_unique<State>(handler, policy, std::move(backend))) {
  state_->socket = socket;
  Listener listener = listen_on_file(socket);
  grpc::ServerBuilder builder;
  const std::shared_ptr<grpc::experimental::ExternalConnectionAcceptor> library =
      builder.experimental().AddExternalConnectionAcceptor(
          grpc::ServerBuilder::experimental_type::ExternalConnectionType::FROM_FD,
          grpc::InsecureServerCredentials());
  builder.RegisterService(&state_->service);
  builder.SetMaxReceiveMessageSize(most_control_bytes);
  builder.SetMaxSendMessageSize(most_control_bytes);
  builder.AddChannelArgument(GRPC_ARG_MAX_CONNECTION_IDLE_MS, most_idle_milliseconds);
  builder.AddChannelArgument(GRPC_ARG_SERVER_HANDSHAKE_TIMEOUT_MS, most_greeting_milliseconds);
  state_->server = builder.BuildAndStart();
  if (!state_->server) throw Error("the server of the control socket cannot be started");
  state_->acceptor.emplace(
      std::move(listener),
      AcceptRules{.name = "control socket",
                  .limits = {.open = most_connections, .young = most_connections, .reserve = 0},
                  .first = look_for_http2,
                  .take =
                      [library](int connection) {
                        grpc::experimental::ExternalConnectionAcceptor::NewConnectionParameters accepted;
                        accepted.fd = connection;
                        library->HandleNewConnection(&accepted);
                      },
                  .log = state_->service.log()});
}

ControlServer::~ControlServer() {
  state_->service.stop();
  state_->acceptor.reset();
  // gRPC would wait for all clients to disconnect; this waits only for requests that are being answered.
  for (int tries = 0; tries < 200 && state_->service.busy(); ++tries) std::this_thread::sleep_for(10ms);
  state_->server->Shutdown(std::chrono::system_clock::now() + 100ms);
  state_->server->Wait();
  std::error_code ignored;
  std::filesystem::remove(state_->socket, ignored);
}

}  // namespace tacit
