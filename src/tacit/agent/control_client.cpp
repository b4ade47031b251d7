#include <fmt/format.h>
#include <grpcpp/grpcpp.h>

#include <thread>

#include "tacit/agent/control.grpc.pb.h"
#include "tacit/agent/control.hpp"
#include "tacit/base/error.hpp"

namespace tacit {
namespace {

using control::Nothing;
using control::Progress;

[[noreturn]] void refuse(const grpc::Status& status, const std::string& socket) {
  if (status.error_code() == grpc::StatusCode::INVALID_ARGUMENT) throw InputError(status.error_message());
  if (status.error_code() == grpc::StatusCode::ABORTED) throw Error(status.error_message());
  throw Error(fmt::format("the agent at {} stopped before it answered ({})", socket, status.error_message()));
}

}  // namespace

struct ControlClient::State {
  std::string socket;
  std::unique_ptr<control::Control::Stub> stub;

  Progress follow(grpc::ClientReader<Progress>& reader, const Words& words) {
    Progress progress, last;
    while (reader.Read(&progress)) {
      if (progress.result_case() != Progress::RESULT_NOT_SET) last = progress;
      if (!progress.words().empty() && words) words(progress.words());
    }
    const grpc::Status status = reader.Finish();
    if (!status.ok()) refuse(status, socket);
    if (last.result_case() == Progress::RESULT_NOT_SET) throw Error("the agent gave no result; see its log");
    return last;
  }

  template <class Reply, class Call>
  Reply ask(Call&& call) {
    grpc::ClientContext context;
    context.set_deadline(std::chrono::system_clock::now() + std::chrono::seconds(10));
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
  std::error_code ignored;
  if (!std::filesystem::is_socket(socket, ignored) ||
      !channel->WaitForConnected(std::chrono::system_clock::now() + std::chrono::seconds(3)))
    throw Error(
        fmt::format("no agent listens at {}; start it with tacit agent, or name its agent.toml with --agent",
                    state_->socket));
  state_->stub = control::Control::NewStub(channel);
}

ControlClient::~ControlClient() = default;

Progress ControlClient::fit(const std::vector<std::string>& without, const Words& words) {
  grpc::ClientContext context;
  control::FitAsk body;
  for (const std::string& whom : without) body.add_without(whom);
  return state_->follow(*state_->stub->Fit(&context, body), words);
}

Progress ControlClient::predict(const Matrix& points, bool together, const Words& words) {
  grpc::ClientContext context;
  control::Points body;
  body.set_together(together);
  body.set_points(static_cast<std::uint64_t>(points.rows()));
  body.mutable_values()->Add(points.data(), points.data() + points.size());
  return state_->follow(*state_->stub->Predict(&context, body), words);
}

Progress ControlClient::evaluate(const Words& words) {
  grpc::ClientContext context;
  return state_->follow(*state_->stub->Evaluate(&context, Nothing()), words);
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
  grpc::ClientContext context;  // no limit: reading a database may take its time, and has limits of its own
  control::ReloadReply reply;
  const grpc::Status status = state_->stub->Reload(&context, Nothing(), &reply);
  if (!status.ok()) refuse(status, state_->socket);
  if (reply.load() == 0) return reply;
  state_->stub.reset();  // the agent need not wait for this connection to end
  // The run under way may end first; then the socket is gone for a moment.
  const auto limit = std::chrono::seconds(60);
  const auto deadline = std::chrono::steady_clock::now() + limit;
  while (std::chrono::steady_clock::now() < deadline) {
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
    try {
      if (ControlClient(state_->socket).status().load() >= reply.load()) return reply;
    } catch (const Error&) {
      // not yet
    }
  }
  throw Error(fmt::format("the agent has not come back within {} s after it read its files; see its log",
                          limit.count()));
}

Charter ControlClient::charter() {
  const auto reply = state_->ask<control::CharterReply>(
      [&](auto* context, auto* answer) { return state_->stub->Charter(context, Nothing(), answer); });
  return parse_charter("the agent's charter", reply.toml());
}

PointPredictions predictions_of(const requests::Predicted& predicted) {
  const auto rows = static_cast<Index>(predicted.points()),
             columns = static_cast<Index>(predicted.targets_size());
  for (const auto* field :
       {&predicted.mean(), &predicted.latent_deviation(), &predicted.observed_deviation()})
    if (field->size() != rows * columns)
      throw Error("the agent's answer is incomplete; do both run the same version?");
  const auto matrix = [&](const auto& field) -> Matrix {
    return Eigen::Map<const Matrix>(field.data(), rows, columns);
  };
  return {matrix(predicted.mean()), matrix(predicted.latent_deviation()),
          matrix(predicted.observed_deviation())};
}

}  // namespace tacit
