// The control API: users send requests to their own agent over a unix socket. Access to the socket is the
// only check.
#pragma once

#include <filesystem>
#include <functional>
#include <memory>
#include <string>

#include "tacit/agent/control/control.pb.h"
#include "tacit/agent/work/request_counts.hpp"
#include "tacit/agent/work/run_handler.hpp"
#include "tacit/base/error.hpp"
#include "tacit/link/runs/run.hpp"

namespace tacit {

/// The maximum size of a request or an answer.
inline constexpr int most_control_bytes = 64 << 20;

/// What the control API needs from the daemon and its node.
struct ControlBackend {
  /// Returns the number of the request at once. Reports the outcome later, once, on any thread.
  std::function<std::uint64_t(OwnRequest, std::function<void(RunOutcome)>)> ask;
  /// Withdraws the request with this number.
  std::function<void(std::uint64_t)> withdraw = [](std::uint64_t) {};
  /// Fills in what the run handler does not know: links and runs.
  std::function<void(control::StatusReply&)> status;
  /// Reads the agent's files again, which may end this server. Throws InputError or Error.
  std::function<control::ReloadReply()> reload = {};
  /// Called with the result of an evaluation requested here, and the version of the model.
  std::function<void(const requests::Evaluated&, std::uint64_t)> evaluated = [](const requests::Evaluated&,
                                                                                std::uint64_t) {};
  /// Receives one line for each request that fails or is refused without a run.
  LogSink log = [](LogLevel, const std::string&) {};
  /// Counts these requests; must outlive the server.
  RequestCounts* counts = nullptr;
};

/// The asker stopped the request. The message describes what had happened until then.
class StoppedByAsker : public Error {
 public:
  using Error::Error;
};

class ControlServer {
 public:
  /// Listens on `socket`, which only its owner can open. Throws Error if this fails. Handler and policy must
  /// outlive this object.
  ControlServer(const std::filesystem::path& socket, RunHandler& handler, Policy& policy,
                ControlBackend backend);
  /// Ends requests in progress with an error, and removes the socket.
  ~ControlServer();
  ControlServer(const ControlServer&) = delete;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

/// The client of a control socket.
class ControlClient {
 public:
  /// Throws Error, with the socket and the fix, if no agent answers there within a few seconds.
  explicit ControlClient(const std::filesystem::path& socket);
  ~ControlClient();

  /// Called with progress messages during a request.
  using Words = std::function<void(const std::string&)>;

  // These throw InputError or Error with the agent's message, StoppedByAsker after stop(), and Error if the
  // agent stops during the request.
  control::Progress fit(const std::vector<std::string>& without, const Words& words);
  /// The agent answers at home or, if `together`, with all agents of the model.
  control::Progress predict(const Matrix& points, bool together, const Words& words);
  control::Progress evaluate(const Words& words);
  /// For another thread: asks the agent to stop the request in progress. It then ends as above, unless it is
  /// complete before. Throws Error if the agent does not answer.
  void stop();
  /// The same for a request of any client, by the name that its client received.
  void stop(const std::string& ask);
  /// For another thread: stops waiting. A request in progress ends with Error here; the agent may continue
  /// it, as after the death of a client.
  void leave();
  /// Sets a listener for the names of all later requests.
  void tell_names(Words listener);
  /// The exported model, in the format of PortableModel::load.
  std::string exported(bool with_experts);
  control::StatusReply status();
  /// The agent's charter.
  Charter charter();
  /// Returns when the agent runs with its changed files, or has found no change.
  control::ReloadReply reload();

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace tacit
