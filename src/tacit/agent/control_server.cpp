#include <fmt/format.h>
#include <grpcpp/grpcpp.h>
#include <sys/stat.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <mutex>
#include <optional>

#include "tacit/agent/control.grpc.pb.h"
#include "tacit/agent/control.hpp"
#include "tacit/agent/model_text.hpp"
#include "tacit/base/error.hpp"
#include "tacit/identity/encoding.hpp"

namespace tacit {
namespace {

using namespace std::chrono_literals;
using control::Nothing;
using control::Progress;
using Writer = grpc::ServerWriter<Progress>;

constexpr int most_asks = 64;  // that wait at once
constexpr int most_tries = 4;  // of a request that a fit has overtaken

// The outcome of a request, once there is one.
class Coming {
 public:
  void arrive(RunOutcome outcome) {
    const std::lock_guard lock(guard_);
    outcome_ = std::move(outcome);
  }
  const RunOutcome* outcome() const {
    const std::lock_guard lock(guard_);
    return outcome_ ? &*outcome_ : nullptr;  // it never changes again
  }

 private:
  mutable std::mutex guard_;
  std::optional<RunOutcome> outcome_;
};

class Service final : public control::Control::Service {
 public:
  Service(Work& work, Policy& policy, ControlBackend backend)
      : work_(work), policy_(policy), backend_(std::move(backend)) {}

  void stop() {
    stopping_ = true;
    work_.nudge();
  }

 private:
  grpc::Status Fit(grpc::ServerContext* context, const control::FitAsk* fit, Writer* writer) override {
    const std::vector<std::string> without(fit->without().begin(), fit->without().end());
    return answer(
        context, writer,
        [&](const std::string& ask, std::uint64_t version) { return work_.fit(ask, without, version); },
        [&](Progress& last, const std::string& result) {
          last.mutable_fitted()->ParseFromString(result);
          for (const std::string& words : work_.ledger().what_rosters_show()) last.add_notes(words);
        });
  }

  grpc::Status Predict(grpc::ServerContext* context, const control::Points* points, Writer* writer) override {
    if (!points->together()) return refusable([&] { at_home(*points, *writer); });
    return answer(
        context, writer,
        [&](const std::string& ask, std::uint64_t) { return work_.predict(ask, matrix_of(*points)); },
        [](Progress& last, const std::string& result) { last.mutable_predicted()->ParseFromString(result); });
  }

  Matrix matrix_of(const control::Points& points) const {
    const struct Charter& charter = work_.material().charter;
    const std::size_t inputs = width(charter.inputs);
    if (points.points() == 0 || points.points() > charter.protocol.points ||
        static_cast<std::uint64_t>(points.values_size()) != points.points() * inputs)
      throw InputError(fmt::format("a request must have 1 to {} points of {} inputs each",
                                   charter.protocol.points, inputs));
    return Eigen::Map<const Matrix>(points.values().data(), static_cast<Index>(points.points()),
                                    static_cast<Index>(inputs));
  }

  // Here and now, also while a run is under way.
  void at_home(const control::Points& points, Writer& writer) {
    Work::AtHome found = work_.predict_at_home(matrix_of(points));
    Progress last;
    *last.mutable_predicted() = std::move(found.predicted);
    last.set_at_home(true);
    tell_who(last, found.roster);
    for (std::string& note : found.notes) last.add_notes(std::move(note));
    writer.Write(last);
  }

  grpc::Status Export(grpc::ServerContext*, const control::ExportAsk* ask,
                      grpc::ServerWriter<control::Part>* writer) override {
    return refusable([&] {
      const std::string file = work_.portable(ask->with_experts()).to_file();
      constexpr std::size_t most = 1 << 20;
      for (std::size_t at = 0; at < file.size(); at += most) {
        control::Part part;
        part.set_bytes(file.substr(at, most));
        if (!writer->Write(part)) return;
      }
    });
  }

  grpc::Status Evaluate(grpc::ServerContext* context, const Nothing*, Writer* writer) override {
    return answer(
        context, writer, [&](const std::string& ask, std::uint64_t) { return work_.evaluate(ask); },
        [](Progress& last, const std::string& result) { last.mutable_evaluated()->ParseFromString(result); });
  }

  grpc::Status Charter(grpc::ServerContext*, const Nothing*, control::CharterReply* reply) override {
    reply->set_toml(to_toml(work_.material().charter));
    reply->set_self(work_.material().charter.name_of(work_.material().self));
    return grpc::Status::OK;
  }

  grpc::Status Reload(grpc::ServerContext*, const Nothing*, control::ReloadReply* reply) override {
    return refusable([&] { *reply = backend_.reload(); });
  }

  grpc::Status Status(grpc::ServerContext*, const Nothing*, control::StatusReply* reply) override {
    const WorkMaterial& material = work_.material();
    reply->set_name(material.charter.name_of(material.self));
    reply->set_charter(hex(charter_hash(material.charter)));
    reply->set_charter_number(material.charter.number);
    reply->set_rows_taken_at(material.taken_at);
    reply->set_rows_name(work_.rows());
    reply->set_title(material.charter.title);
    reply->set_rows(static_cast<std::uint64_t>(material.data.inputs.rows()));
    reply->set_holdout_rows(static_cast<std::uint64_t>(material.holdout.inputs.rows()));
    reply->set_dropped(material.dropped);
    reply->set_holdout_dropped(material.holdout_dropped);
    reply->set_up_seconds(std::chrono::duration<double>(std::chrono::steady_clock::now() - since_).count());
    reply->set_fewest_agents(work_.fewest());
    if (const auto held = work_.held()) {
      reply->set_model(to_text(held->sealed, material.charter));
      reply->set_rows_changed(held->rows_changed);
    }
    const LedgerState ledger = work_.ledger().state();
    reply->set_ledger_lines(ledger.lines);
    reply->set_ledger_hash(ledger.last);
    for (const std::string& words : ledger.continued) reply->add_notes("Ledger: " + words);
    for (const std::string& words : work_.ledger().what_rosters_show()) reply->add_notes(words);
    for (AgentId i = 0; i < material.charter.agents.size(); ++i) {
      if (i == material.self) continue;
      control::Peer& peer = *reply->add_peers();
      peer.set_name(material.charter.name_of(i));
      peer.set_address(material.charter.agents[i].address);
      for (const RequestKind kind : all_request_kinds)
        if (const auto left = policy_.left(peer.name(), kind)) {
          control::Left& one = *peer.add_left();
          one.set_kind(to_string(kind));
          one.set_count(*left);
        }
    }
    backend_.status(*reply);
    return grpc::Status::OK;
  }

  template <class Make, class Take>
  grpc::Status answer(grpc::ServerContext* context, Writer* writer, Make&& make, Take&& take) {
    struct OneMore {
      std::atomic<int>& count;
      const bool allowed = ++count <= most_asks;
      ~OneMore() { --count; }
    } const one{asks_};
    if (!one.allowed)
      return {grpc::StatusCode::ABORTED,
              fmt::format("{} requests are already waiting; try again later", most_asks)};
    return refusable([&]() -> grpc::Status {
      std::uint64_t version = 0;  // of a fit: the next that is free here
      for (int tries = 1;; ++tries) {
        work_.wait([&](const auto& doing) { return !doing || unwanted(context); });  // it may be a fit
        if (unwanted(context)) return why_unwanted(context);
        const std::string ask = random_hex_name();
        const Digest model = model_held();
        const auto coming = std::make_shared<Coming>();
        const Asking asking = make(ask, version);
        backend_.ask(asking, [&work = work_, coming](RunOutcome outcome) {
          coming->arrive(std::move(outcome));
          work.nudge();
        });
        follow(context, writer, ask, *coming);
        if (unwanted(context)) return why_unwanted(context);
        const RunOutcome& outcome = *coming->outcome();
        if (!outcome.done && tries < most_tries) {
          // Another fit came first, so the request was about an older model, or its version is taken.
          version = version_free(outcome);
          if (version > 0 || model_held() != model) continue;
        }
        if (!outcome.done)
          return {outcome.bad_input ? grpc::StatusCode::INVALID_ARGUMENT : grpc::StatusCode::ABORTED,
                  outcome.error + what_can_be_done(outcome, asking.roster.size())};
        Progress last;
        take(last, outcome.result);
        tell_who(last, asking.roster);
        writer->Write(last);
        return grpc::Status::OK;
      }
    });
  }

  // What `work` says, or its error.
  template <class Do>
  static grpc::Status refusable(Do&& work) {
    try {
      if constexpr (std::is_void_v<decltype(work())>) {
        work();
        return grpc::Status::OK;
      } else {
        return work();
      }
    } catch (const InputError& e) {
      return {grpc::StatusCode::INVALID_ARGUMENT, e.what()};
    } catch (const std::exception& e) {
      return {grpc::StatusCode::ABORTED, e.what()};
    }
  }

  Digest model_held() const {
    const auto held = work_.held();
    return held ? held->sealed.digest : Digest{};
  }

  // Where agents of the roster were away.
  std::string what_can_be_done(const RunOutcome& outcome, std::size_t roster) const {
    if (outcome.away.empty()) return "";
    if (roster - outcome.away.size() < work_.fewest())
      return fmt::format("; wait until all are back: charter and policy need {} agents", work_.fewest());
    Roster names;
    for (const AgentId agent : outcome.away) names.push_back(work_.material().charter.name_of(agent));
    return fmt::format(
        "; wait until all are back, or fit a model without {} where every owner allows it (policy.without): "
        "tacit fit --without {}",
        listed(names), fmt::join(names, ","));
  }

  // Above the highest that an agent says it has signed; 0 when that was not the matter.
  static std::uint64_t version_free(const RunOutcome& outcome) {
    const bool taken = outcome.refusal && outcome.refusal->code == ReasonCode::version_taken;
    return taken ? outcome.refusal->detail + 1 : 0;
  }

  // Nobody is listening any more. A client that has gone away is noticed at the next event, at the latest
  // when its request ends.
  bool unwanted(grpc::ServerContext* context) const { return stopping_ || context->IsCancelled(); }
  grpc::Status why_unwanted(grpc::ServerContext* context) const {
    if (context->IsCancelled()) return grpc::Status::CANCELLED;
    return {grpc::StatusCode::ABORTED, "the agent was stopped while the request was under way"};
  }

  // Streams progress until there is an outcome, or nobody is listening any more.
  void follow(grpc::ServerContext* context, Writer* writer, const std::string& ask, const Coming& coming) {
    std::string said;
    bool began = false, over = false;
    for (;;) {
      std::string words;
      work_.wait([&](const auto& doing) {
        const bool now = doing && doing->ask == ask;
        began = began || now;
        words = now ? doing->words : began ? said : "waiting for its turn";
        over = coming.outcome() || unwanted(context);
        return over || words != said;
      });
      if (over) return;
      Progress progress;
      progress.set_words(said = words);
      writer->Write(progress);
    }
  }

  void tell_who(Progress& last, const std::vector<AgentId>& roster) const {
    const struct Charter& charter = work_.material().charter;
    for (AgentId i = 0; i < charter.agents.size(); ++i) {
      const bool there = std::binary_search(roster.begin(), roster.end(), i);
      *(there ? last.add_roster() : last.add_without()) = charter.name_of(i);
    }
  }

  Work& work_;
  Policy& policy_;
  const ControlBackend backend_;
  const std::chrono::steady_clock::time_point since_ = std::chrono::steady_clock::now();
  std::atomic<bool> stopping_ = false;
  std::atomic<int> asks_ = 0;
};

}  // namespace

struct ControlServer::State {
  State(Work& work, Policy& policy, ControlBackend backend) : service(work, policy, std::move(backend)) {}
  Service service;
  std::filesystem::path socket;
  std::unique_ptr<grpc::Server> server;
};

ControlServer::ControlServer(const std::filesystem::path& socket, Work& work, Policy& policy,
                             ControlBackend backend)
    : state_(std::make_unique<State>(work, policy, std::move(backend))) {
  state_->socket = socket;
  grpc::ServerBuilder builder;
  const mode_t before = ::umask(0177);  // nobody else may open the socket, not even for a moment
  builder.AddListeningPort("unix:" + socket.string(), grpc::InsecureServerCredentials());
  builder.RegisterService(&state_->service);
  builder.SetMaxReceiveMessageSize(most_control_bytes);
  builder.SetMaxSendMessageSize(most_control_bytes);
  state_->server = builder.BuildAndStart();
  ::umask(before);
  if (!state_->server)
    throw Error(
        fmt::format("the control socket {} cannot be opened; is its folder writable?", socket.string()));
}

ControlServer::~ControlServer() {
  state_->service.stop();
  state_->server->Shutdown(std::chrono::system_clock::now() + 2s);
  state_->server->Wait();
  std::error_code ignored;
  std::filesystem::remove(state_->socket, ignored);
}

}  // namespace tacit
