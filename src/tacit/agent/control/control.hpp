// The control API: people ask their own agent over a unix socket. Whoever can open the socket may ask.
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

/// No request or answer is larger.
inline constexpr int most_control_bytes = 64 << 20;

/// What the control API needs from a node.
struct ControlBackend {
  /// Returns the request's number at once; the outcome is reported later, once, on any thread.
  std::function<std::uint64_t(OwnRequest, std::function<void(RunOutcome)>)> ask;
  /// Withdraws the request with this number.
  std::function<void(std::uint64_t)> withdraw = [](std::uint64_t) {};
  /// Fills in what the work does not know: links, runs.
  std::function<void(control::StatusReply&)> status;
  /// Looks at the agent's files again; what comes of it may end this server. Throws InputError or Error.
  std::function<control::ReloadReply()> reload = {};
  /// An evaluation that was asked for here has given this, of the model with this version.
  std::function<void(const requests::Evaluated&, std::uint64_t)> evaluated = [](const requests::Evaluated&,
                                                                                std::uint64_t) {};
  /// Every request that fails or is refused without a run is one line there.
  LogSink log = [](LogLevel, const std::string&) {};
  /// Counts them; must outlive the server.
  RequestCounts* counts = nullptr;
};

/// The request was stopped by whoever asked for it; says what had happened until then.
class StoppedByAsker : public Error {
 public:
  using Error::Error;
};

class ControlServer {
 public:
  /// Listens on `socket`, which only its owner can open. Throws Error when it cannot. Work and policy must
  /// outlive this object.
  ControlServer(const std::filesystem::path& socket, RunHandler& handler, Policy& policy,
                ControlBackend backend);
  /// Ends requests under way with an error, and removes the socket.
  ~ControlServer();
  ControlServer(const ControlServer&) = delete;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

/// The client's end.
class ControlClient {
 public:
  /// Throws Error, naming the socket and the cure, when no agent listens there within a few seconds.
  explicit ControlClient(const std::filesystem::path& socket);
  ~ControlClient();

  /// Called with progress messages during a request.
  using Words = std::function<void(const std::string&)>;

  // Throw InputError or Error as the agent says, StoppedByAsker after stop(), and Error when the agent stops
  // meanwhile.
  control::Progress fit(const std::vector<std::string>& without, const Words& words);
  /// By the agent alone, or by all agents of the model together.
  control::Progress predict(const Matrix& points, bool together, const Words& words);
  control::Progress evaluate(const Words& words);
  /// From another thread: asks the agent to stop the request that is under way, which then ends as above,
  /// unless it is done before. Throws Error when the agent does not answer.
  void stop();
  /// The same for a request of any client, by the name that its client was told.
  void stop(const std::string& ask);
  /// From another thread: waits for nothing any longer. A request under way ends with Error here; the agent
  /// may go on with it, as when a client is killed.
  void leave();
  /// Is told the name of every request from now on.
  void tell_names(Words listener);
  /// The model to take away, as PortableModel::load reads it.
  std::string exported(bool with_experts);
  control::StatusReply status();
  /// The agent's charter.
  Charter charter();
  /// Returns when the agent runs with what its files say now, or has found that nothing changed.
  control::ReloadReply reload();

 private:
  struct State;
  std::unique_ptr<State> state_;
};

/// An answer, points × targets, in the data's units.
struct PointPredictions {
  Matrix mean, latent_deviation, observed_deviation;
};
PointPredictions predictions_of(const requests::Predicted& predicted);

}  // namespace tacit
