// The control API: people ask their own agent over a unix socket. Whoever can open the socket may ask.
#pragma once

#include <filesystem>
#include <functional>
#include <memory>
#include <string>

#include "tacit/agent/control.pb.h"
#include "tacit/agent/work.hpp"
#include "tacit/link/run.hpp"

namespace tacit {

/// No request or answer is larger.
inline constexpr int most_control_bytes = 64 << 20;

/// What the control API needs from a node.
struct ControlBackend {
  /// Returns at once; the outcome is reported later, once, on any thread.
  std::function<void(Asking, std::function<void(RunOutcome)>)> ask;
  /// Fills in what the work does not know: links, runs.
  std::function<void(control::StatusReply&)> status;
  /// Looks at the agent's files again; what comes of it may end this server. Throws InputError or Error.
  std::function<control::ReloadReply()> reload = {};
};

class ControlServer {
 public:
  /// Listens on `socket`, which only its owner can open. Throws Error when it cannot. Work and policy must
  /// outlive this object.
  ControlServer(const std::filesystem::path& socket, Work& work, Policy& policy, ControlBackend backend);
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

  // Throw InputError or Error as the agent says, and Error when the agent stops meanwhile.
  control::Progress fit(const std::vector<std::string>& without, const Words& words);
  /// By the agent alone, or by all agents of the model together.
  control::Progress predict(const Matrix& points, bool together, const Words& words);
  control::Progress evaluate(const Words& words);
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
