// The control API: people ask their own agent over a unix socket. Only who may open the socket may ask.
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

/// What the control API stands on; a node has it.
struct ControlBackend {
  /// Returns at once; what came of it is told later, once, on any thread.
  std::function<void(Request, Quorum, std::function<void(RunOutcome)>)> ask;
  /// Fills in what the work does not know: links, runs.
  std::function<void(control::StatusReply&)> status;
};

class ControlServer {
 public:
  /// Listens on `socket`, which is for its owner alone. Throws Error when it cannot. The work must outlive
  /// this.
  ControlServer(const std::filesystem::path& socket, Work& work, Policy& policy, ControlBackend backend);
  /// Ends requests under way with an error, and removes the socket.
  ~ControlServer();
  ControlServer(const ControlServer&) = delete;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

/// The other end.
class ControlClient {
 public:
  /// Throws Error, naming the socket and the cure, when no agent listens there within a few seconds.
  explicit ControlClient(const std::filesystem::path& socket);
  ~ControlClient();

  /// Told of words while a request goes on.
  using Words = std::function<void(const std::string&)>;

  // Throw InputError or Error as the agent says, and Error when the agent goes away meanwhile.
  control::Progress fit(const Words& words);
  control::Progress predict(const Matrix& points, const Words& words);
  control::Progress evaluate(const Words& words);
  control::StatusReply status();
  /// The agent's charter.
  Charter charter();

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
