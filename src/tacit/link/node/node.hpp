// One agent on the network. A node keeps links to its neighbours, and runs the same protocol coroutines as
// the simulator over them.
//
//   Node node(options, {.consent = ..., .program = ..., .ended = ...});
//   RunOutcome outcome = node.ask({"predict", points}, {0, 1, 2}).get();
//
// ask() announces a run. The `consent` of every agent of the roster is asked; when all have signed theirs,
// each starts program(channel, run), with the same request. One run at a time goes on in the whole
// consortium; others wait for their turn (convening.hpp). Nothing waits for ever: each wait has a limit in
// Timeouts.
#pragma once

#include <functional>
#include <future>
#include <memory>
#include <string>
#include <vector>

#include "tacit/link/node/node_options.hpp"
#include "tacit/link/runs/run.hpp"
#include "tacit/protocol/channel/channel.hpp"
#include "tacit/protocol/channel/task.hpp"

namespace tacit {

/// What an agent does with runs. `consent` must be quick, as other runs wait for it; links do not.
struct NodeProgram {
  /// Asked for every announced run, including this agent's own.
  std::function<Consent(const Run&)> consent = [](const Run&) { return Consent{}; };
  /// The agent's side of the run. Its thread may compute for as long as it takes.
  std::function<Task<std::string>(Channel&, const Run&)> program;
  /// Called on the thread that ran it.
  std::function<void(const Run&, const RunOutcome&)> ended = [](const Run&, const RunOutcome&) {};
  /// This agent has refused somebody else's run, and why, as in its log. Must be quick.
  std::function<void(const Run&, const std::string&)> refused = [](const Run&, const std::string&) {};
};

struct NeighbourStatus {
  AgentId agent = 0;
  std::string name;
  bool up = false;
  std::string refusal = {};  ///< why the two do not talk; empty when they do
  std::string release = {};  ///< of Tacit, as it says; empty when it has not
  double round_trip = 0;     ///< seconds; 0 when not known
  std::uint64_t bytes_sent = 0, bytes_received = 0, frames_sent = 0, frames_received = 0;
  std::uint64_t streams = 0;   ///< how often a link came up
  std::size_t kept_bytes = 0;  ///< of what it has sent: waiting to be looked at, or for a run to end or start
};

struct NodeStatus {
  std::vector<NeighbourStatus> neighbours;
  std::size_t waiting = 0;                            ///< own requests that wait for their turn
  std::uint64_t done = 0, failed = 0, withdrawn = 0;  ///< runs, whoever asked
  std::string running;                                ///< the kind of the run under way; empty for none
};

class Node {
 public:
  /// Throws InputError for options that cannot be used, Error when journal or address are taken.
  Node(NodeOptions options, NodeProgram program);
  /// Ends the current run with an error.
  ~Node();
  Node(const Node&) = delete;

  /// Where it listens, with the real port.
  std::string address() const;

  /// Asks these agents, this one among them, for a run; all of them take part, or nobody does. Requests of
  /// one agent are served in their order.
  std::future<RunOutcome> ask(Request request, std::vector<AgentId> roster);
  /// The same; `answer` is called with the outcome, once, on a thread of the node that must not be blocked.
  /// Returns the request's number.
  std::uint64_t ask(Request request, std::vector<AgentId> roster, std::function<void(RunOutcome)> answer);
  /// Withdraws a request of this agent's own. One that waits does not start; a run under way ends, here and
  /// everywhere, at the next message that it waits for. Its outcome says so, unless it is done before.
  void withdraw(std::uint64_t request);

  /// Waits until links to all neighbours are up; false when they are not in time.
  bool wait_for_links(Milliseconds time) const;

  NodeStatus status() const;

  /// Lets the current run finish, but takes part in no other; waits up to this long for what was sent to
  /// arrive.
  void finish(Milliseconds time);

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace tacit
