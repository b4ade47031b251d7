// Every agent in one process. Runs one protocol coroutine per agent on as many threads as asked for. The
// result depends on the seed alone: an agent's actions depend only on its own stream and on messages it asks
// for by name, and the clock is virtual, so neither thread count nor timing can change a bit.
#pragma once

#include <coroutine>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "tacit/base/error.hpp"
#include "tacit/base/progress.hpp"
#include "tacit/graph/mask_helpers.hpp"
#include "tacit/protocol/channel/channel.hpp"
#include "tacit/protocol/channel/task.hpp"

namespace tacit {

/// How long a message takes on the virtual clock: latency + bytes / bandwidth seconds.
struct NetworkModel {
  double latency = 0;    ///< seconds per message
  double bandwidth = 0;  ///< bytes per second; 0 is unlimited
  double jitter = 0;     ///< up to this many seconds more, random but fixed by the seed
};

/// An agent that does not stay to the end.
struct Departure {
  AgentId agent = 0;
  std::uint32_t round = 0;  ///< its last
  /// If absent it leaves after that round, with a farewell, provided that the protocol lets agents leave.
  /// Else it vanishes in that round, once it has sent this many messages.
  std::optional<std::uint64_t> vanishes_after = {};
  std::uint32_t run = 0;  ///< the protocol execution that is meant
  /// If given, it vanishes by the virtual clock instead: from then on it sends `vanishes_after` messages
  /// more.
  std::optional<double> at = {};
};

struct SimulatorOptions {
  unsigned threads = 0;  ///< 0: all cores
  std::uint64_t seed = 1;
  NetworkModel network;
  std::vector<AgentId> coalition;  ///< whose view is recorded
  Progress* progress = nullptr;    ///< counts messages sent; must outlive the simulator
  std::vector<Departure> departures = {};
  /// What agents send instead of a message, for tests with hostile ones; may be called from several threads.
  /// Without it, or where it gives back nothing, messages are sent as they are.
  using Instead = std::vector<std::pair<Tag, std::vector<std::byte>>>;
  std::function<std::optional<Instead>(AgentId from, AgentId to, const Tag&, std::span<const std::byte>)>
      tamper = {};
};

/// What the runs so far have cost.
struct SimulationCost {
  std::uint64_t rounds = 0;      ///< the longest chain of messages that wait for each other
  std::uint64_t messages = 0;    ///< sent by all agents
  std::uint64_t bytes = 0;       ///< of payload
  double network_seconds = 0;    ///< the virtual clock of the last agent to finish
  double computing_seconds = 0;  ///< real time spent, all threads running at once
  double work_seconds = 0;       ///< sum over the agents of the real time each was running
  double busiest_seconds = 0;    ///< the longest of these, what a deployment would see
};

/// What has passed over a link, both ways.
struct LinkTraffic {
  AgentId a = 0, b = 0;  ///< a < b
  std::uint64_t messages = 0, bytes = 0;
};

/// A message that an agent of the coalition has received.
struct Received {
  AgentId to = 0, from = 0;
  Tag tag;
  std::vector<std::byte> bytes;
};

class Simulator {
 public:
  /// Keeps no reference to the graph. Throws InputError for an unknown agent in the coalition or departures.
  explicit Simulator(const HelpedGraph& graph, SimulatorOptions options = {});
  ~Simulator();

  /// Runs program(channel) for every agent and helper to its end and returns what each gave, by agent. When
  /// agents fail, the error of the lowest-numbered one is thrown, with its number; when all wait for messages
  /// that nobody sent, an Error says who waits for what. May be called again: clocks and streams go on, and
  /// costs add up.
  template <class T>
  std::vector<T> run(const std::function<Task<T>(Channel&)>& program) {
    std::vector<Task<T>> tasks;
    std::vector<std::coroutine_handle<>> handles;
    for (AgentId i = 0; i < agents(); ++i) {
      tasks.push_back(program(channel(i)));
      handles.push_back(tasks.back().handle());
    }
    drive(handles);
    std::vector<T> results;
    for (AgentId i = 0; i < agents(); ++i)
      if (tasks[i].done()) with_agent(i, [&] { results.push_back(tasks[i].result()); });
    if (results.size() != agents()) throw_stalled();
    return results;
  }

  /// The outcome of an agent in a run that others may outlive.
  template <class T>
  struct Outcome {
    std::optional<T> result;
    std::string error;  ///< why there is none; empty for an agent that has vanished
  };

  /// As run(), for protocols that go on without agents that vanish: what each gave, or why it gave nothing.
  template <class T>
  std::vector<Outcome<T>> run_with_losses(const std::function<Task<T>(Channel&)>& program) {
    std::vector<Task<T>> tasks;
    std::vector<std::coroutine_handle<>> handles;
    for (AgentId i = 0; i < agents(); ++i) {
      tasks.push_back(program(channel(i)));
      handles.push_back(tasks.back().handle());
    }
    drive(handles);
    std::vector<Outcome<T>> outcomes(agents());
    for (AgentId i = 0; i < agents(); ++i) {
      if (vanished(i)) continue;
      try {
        if (!tasks[i].done()) throw_stalled();
        outcomes[i].result = tasks[i].result();
      } catch (const Error& e) {
        outcomes[i].error = e.what();
      }
    }
    return outcomes;
  }

  std::size_t agents() const;  ///< and helpers
  SimulationCost cost() const;
  std::vector<LinkTraffic> traffic() const;  ///< of every link, by a and then b

  /// All that the coalition has received, by agent: first what it took in, in order, then the rest.
  std::vector<Received> view() const;

 private:
  struct Actor;
  struct State;
  Channel& channel(AgentId agent);
  void drive(std::span<const std::coroutine_handle<>> handles);
  bool fail_those_who_wait_for_the_gone();
  bool vanished(AgentId agent) const;
  static void with_agent(AgentId agent, const std::function<void()>& get);
  [[noreturn]] void throw_stalled() const;

  std::unique_ptr<State> state_;
};

}  // namespace tacit
