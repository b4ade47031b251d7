#include <fmt/format.h>
#include <grpcpp/grpcpp.h>
#include <signal.h>
#include <sys/stat.h>

#include <cerrno>
#include <mutex>
#include <thread>

#include "tacit/agent/control/control.grpc.pb.h"
#include "tacit/agent/control/control.hpp"
#include "tacit/agent/daemon/peer_diagnosis.hpp"
#include "tacit/base/error.hpp"

namespace tacit {
namespace {

using control::Nothing;

constexpr auto connect_within = std::chrono::seconds(3);
constexpr auto answer_within = std::chrono::seconds(10);

std::string in_words(std::chrono::seconds limit) { return fmt::format("{} s", limit.count()); }

[[noreturn]] void refuse(const grpc::Status& status, const std::string& socket) {
  // A server that ends also cancels calls, but without a message.
  if (status.error_code() == grpc::StatusCode::CANCELLED && !status.error_message().empty())
    throw StoppedByAsker(status.error_message());
  if (status.error_code() == grpc::StatusCode::DEADLINE_EXCEEDED)
    throw Error(why_silent(socket, in_words(answer_within)));
  if (status.error_code() == grpc::StatusCode::INVALID_ARGUMENT) throw InputError(status.error_message());
  if (status.error_code() == grpc::StatusCode::ABORTED) throw Error(status.error_message());
  if (status.error_code() == grpc::StatusCode::UNIMPLEMENTED)
    throw Error(
        fmt::format("the agent at {} runs an older release of Tacit, which does not support this; restart it "
                    "with this release",
                    socket));
  throw Error(fmt::format("the agent at {} stopped before it answered ({})", socket, status.error_message()));
}

// The charter with this text. A long session asks its agent for the same charter with every request, so the
// last one is kept.
Charter parsed_charter(const std::string& toml) {
  static std::mutex guard;
  static std::string last;
  static Charter charter;
  const std::lock_guard lock(guard);
  if (toml != last) {
    charter = parse_charter("the agent's charter", toml);
    last = toml;
  }
  return charter;
}

// Identifies a socket file, to distinguish it from a later one with the same name.
class SocketFile {
 public:
  explicit SocketFile(const std::string& path) : there_(::stat(path.c_str(), &seen_) == 0) {}
  bool there() const { return there_; }
  friend bool operator==(const SocketFile& a, const SocketFile& b) {
    return a.there_ == b.there_ && a.seen_.st_ino == b.seen_.st_ino &&
           a.seen_.st_ctim.tv_sec == b.seen_.st_ctim.tv_sec &&
           a.seen_.st_ctim.tv_nsec == b.seen_.st_ctim.tv_nsec;
  }

 private:
  struct stat seen_ {};
  bool there_ = false;
};

}  // namespace

struct ControlClient::State {
  std::string socket;
  std::unique_ptr<control::Control::Stub> stub;

  std::mutex guard;
  std::string under_way;  // the agent's name for the request
  bool stop_wanted = false;
  grpc::ClientContext* waiting = nullptr;
  bool left = false;
  Words tell_name = [](const std::string&) {};

  void named(const std::string& ask) {
    const std::lock_guard lock(guard);
    under_way = ask;
    tell_name(ask);
    if (stop_wanted) stop_it(under_way);
  }
  void stop() {
    const std::lock_guard lock(guard);
    stop_wanted = true;
    if (!under_way.empty()) stop_it(under_way);  // otherwise as soon as it has a name
  }
  void stop_it(const std::string& name) {
    control::StopAsk which;
    which.set_ask(name);
    ask<Nothing>([&](auto* context, auto* reply) { return stub->Stop(context, which, reply); });
  }

  // A call that leave() can cancel.
  struct Waiting {
    Waiting(State& of, grpc::ClientContext& context) : state(of) {
      const std::lock_guard lock(state.guard);
      state.waiting = &context;
      if (state.left) context.TryCancel();
    }
    ~Waiting() {
      const std::lock_guard lock(state.guard);
      state.waiting = nullptr;
    }
    Waiting(const Waiting&) = delete;
    State& state;
  };
  void leave() {
    const std::lock_guard lock(guard);
    left = true;
    if (waiting) waiting->TryCancel();
  }

  control::Progress follow(grpc::ClientContext& context, grpc::ClientReader<control::Progress>& reader,
                           const Words& words) {
    const Waiting here(*this, context);
    control::Progress progress, last;
    while (reader.Read(&progress)) {
      if (!progress.ask().empty()) named(progress.ask());
      if (progress.result_case() != control::Progress::RESULT_NOT_SET) last = progress;
      if (!progress.words().empty() && words) words(progress.words());
    }
    const grpc::Status status = reader.Finish();
    if (!status.ok()) refuse(status, socket);
    if (last.result_case() == control::Progress::RESULT_NOT_SET)
      throw Error("the agent returned no result; see its log");
    return last;
  }

  template <class Reply, class Call>
  Reply ask(Call&& call) {
    grpc::ClientContext context;
    context.set_deadline(std::chrono::system_clock::now() + answer_within);
    Reply reply;
    const grpc::Status status = call(&context, &reply);
    if (!status.ok()) refuse(status, socket);
    return reply;
  }
};

ControlClient::ControlClient(const std::filesystem::path& socket) : state_(std::make_unique<State>()) {
  state_->socket = socket.string();
  grpc::ChannelArguments arguments;
  arguments.SetMaxReceiveMessageSize(most_control_bytes);
  arguments.SetMaxSendMessageSize(most_control_bytes);
  const auto channel =
      grpc::CreateCustomChannel("unix:" + state_->socket, grpc::InsecureChannelCredentials(), arguments);
  check_listening(socket);
  if (!channel->WaitForConnected(std::chrono::system_clock::now() + connect_within))
    throw Error(why_silent(socket, in_words(connect_within)));
  state_->stub = control::Control::NewStub(channel);
}

ControlClient::~ControlClient() = default;

void ControlClient::stop() { state_->stop(); }

void ControlClient::stop(const std::string& ask) { state_->stop_it(ask); }

void ControlClient::leave() { state_->leave(); }

void ControlClient::tell_names(Words listener) { state_->tell_name = std::move(listener); }

control::Progress ControlClient::fit(const std::vector<std::string>& without, const Words& words) {
  grpc::ClientContext context;
  control::FitAsk body;
  for (const std::string& whom : without) body.add_without(whom);
  return state_->follow(context, *state_->stub->Fit(&context, body), words);
}

control::Progress ControlClient::predict(const Matrix& points, bool together, const Words& words) {
  grpc::ClientContext context;
  control::Points body;
  body.set_together(together);
  body.set_points(static_cast<std::uint64_t>(points.rows()));
  body.mutable_values()->Add(points.data(), points.data() + points.size());
  return state_->follow(context, *state_->stub->Predict(&context, body), words);
}

control::Progress ControlClient::evaluate(const Words& words) {
  grpc::ClientContext context;
  return state_->follow(context, *state_->stub->Evaluate(&context, Nothing()), words);
}

std::string ControlClient::exported(bool with_experts) {
  grpc::ClientContext context;
  control::ExportAsk body;
  body.set_with_experts(with_experts);
  const auto reader = state_->stub->Export(&context, body);
  std::string file;
  for (control::Part part; reader->Read(&part);) file += part.bytes();
  const grpc::Status status = reader->Finish();
  if (!status.ok()) refuse(status, state_->socket);
  return file;
}

control::StatusReply ControlClient::status() {
  return state_->ask<control::StatusReply>(
      [&](auto* context, auto* reply) { return state_->stub->Status(context, Nothing(), reply); });
}

control::ReloadReply ControlClient::reload() {
  const SocketFile before(state_->socket);
  const pid_t process = process_behind(state_->socket);
  grpc::ClientContext context;  // no limit: reading a database may take long, and has its own limits
  control::ReloadReply reply;
  const grpc::Status status = state_->stub->Reload(&context, Nothing(), &reply);
  if (!status.ok()) refuse(status, state_->socket);
  if (reply.load() == 0) return reply;
  state_->stub.reset();  // the agent waits for connections to close before it restarts
  // The current run may end first. Then the socket disappears for a moment.
  const auto limit = std::chrono::seconds(60);
  const auto deadline = std::chrono::steady_clock::now() + limit;
  while (std::chrono::steady_clock::now() < deadline) {
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
    if (process > 0 && ::kill(process, 0) != 0 && errno == ESRCH)
      throw Error("the agent ended after reading its files; see its log");
    const SocketFile now(state_->socket);
    if (!now.there() || now == before) continue;
    std::uint64_t load = 0;
    try {
      load = ControlClient(state_->socket).status().load();
    } catch (const Error&) {
      continue;  // not yet
    }
    if (load == reply.load()) return reply;
    if (load > reply.load())
      throw Error(
          "the agent cannot run with the changed files and continues with the previous ones; see its log");
  }
  throw Error(fmt::format("the agent did not come back within {} s after reading its files; see its log",
                          limit.count()));
}

Charter ControlClient::charter() {
  const auto reply = state_->ask<control::CharterReply>(
      [&](auto* context, auto* answer) { return state_->stub->Charter(context, Nothing(), answer); });
  return parsed_charter(reply.toml());
}

}  // namespace tacit
