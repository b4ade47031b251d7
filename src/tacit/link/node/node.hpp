// One agent on the network. A node keeps links to its neighbours, and runs over them the same protocol
// coroutines as the simulator. It does not know what a request means.
//
//   Node node(options, {.consent = ..., .program = ..., .ended = ...});
//   RunOutcome outcome = node.ask({"predict", points}, {0, 1, 2}).get();
//
// ask() announces a run. Each agent of the roster calls its `consent`. If all consent, each starts
// program(net, run) with the same request. Each agent takes part in one run at a time; other runs wait
// for their turn (convening.hpp). Every wait has a limit in Timeouts.
#pragma once

#include <functional>
#include <future>
#include <memory>
#include <string>
#include <vector>

#include "tacit/link/node/node_options.hpp"
#include "tacit/link/runs/run.hpp"
#include "tacit/protocol/channel/task.hpp"
#include "tacit/protocol/run/run.hpp"

namespace tacit {

/// What an agent does with runs. `consent` must return soon, because other runs wait for it; links do not.
struct NodeProgram {
  /// Called for every announced run with this agent, including its own.
  std::function<Consent(const RunDescription&)> consent = [](const RunDescription&) { return Consent{}; };
  /// The agent's side of the run. It has a thread of its own and may compute for long.
  std::function<Task<std::string>(Run&, const RunDescription&)> program;
  /// Called after the run, on the same thread.
  std::function<void(const RunDescription&, const RunOutcome&)> ended = [](const RunDescription&,
                                                                           const RunOutcome&) {};
  /// This agent has refused another agent's run, with the reason as in its log. Must return soon.
  std::function<void(const RunDescription&, const std::string&)> refused = [](const RunDescription&,
                                                                              const std::string&) {};
};

struct NeighbourStatus {
  AgentId agent = 0;
  std::string name;
  bool up = false;
  std::string refusal = {};  ///< why one of the two refuses the link; empty if neither does
  std::string release = {};  ///< of Tacit, as the neighbour reports it; empty if it has not
  double round_trip = 0;     ///< seconds; 0 if not known
  std::uint64_t bytes_sent = 0, bytes_received = 0, frames_sent = 0, frames_received = 0;
  std::uint64_t streams = 0;   ///< how often the link came up
  std::size_t kept_bytes = 0;  ///< received from it and waiting, to be handled or for a run to start or end
};

struct NodeStatus {
  std::vector<NeighbourStatus> neighbours;
  std::size_t waiting = 0;                            ///< own requests that wait for their turn
  std::uint64_t done = 0, failed = 0, withdrawn = 0;  ///< runs of all askers
  std::string running;                                ///< the kind of the run under way; empty for none
};

class Node {
 public:
  /// Throws InputError for unusable options or an address in use, Error if the journal is in use or damaged.
  Node(NodeOptions options, NodeProgram program);
  /// Ends the current run with an error.
  ~Node();
  Node(const Node&) = delete;

  /// The address on which it listens, with the actual port.
  std::string address() const;

  /// Asks these agents for a run. This agent must be among them. Either all of them take part, or the run
  /// does not start. Requests of one agent are served in order.
  std::future<RunOutcome> ask(Request request, std::vector<AgentId> roster);
  /// As above; `answer` is called once with the outcome, on a thread of the node that must not be blocked.
  /// Returns the request's number.
  std::uint64_t ask(Request request, std::vector<AgentId> roster, std::function<void(RunOutcome)> answer);
  /// Withdraws an own request. If it waits, it does not start. If its run has begun, the run ends at every
  /// agent at the next message that the agent waits for. Its outcome has `withdrawn` set, unless it is done
  /// before.
  void withdraw(std::uint64_t request);

  /// Waits until the links to all neighbours are up; false on timeout.
  bool wait_for_links(Milliseconds time) const;

  NodeStatus status() const;

  /// Lets the current run finish, and starts no other. Waits up to this long for that, and until all frames
  /// have arrived.
  void finish(Milliseconds time);

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace tacit
