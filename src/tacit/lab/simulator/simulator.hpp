// Runs all agents in one process, with one protocol coroutine for each agent, on any number of threads. The
// result depends only on the seed: an agent's actions depend on its own stream and on messages it receives by
// tag, and the clock is virtual. So neither the number of threads nor timing changes a bit. Knows no
// protocol.
//
// Threads: a Simulator belongs to one thread at a time; a run starts threads of its own.
// Errors: InputError for options that cannot be used. Error if an agent fails, or waits for a message that is
// never sent.
// Stopping: with StoppableWork (base/stop.hpp) a run throws Stopped when an agent sends its next message.
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
#include "tacit/lab/mask_helpers/helped_graph.hpp"
#include "tacit/protocol/channel/task.hpp"
#include "tacit/protocol/run/run.hpp"

namespace tacit {

/// The time of a message on the virtual clock: latency + bytes / bandwidth seconds.
struct NetworkModel {
  double latency = 0;    ///< seconds per message
  double bandwidth = 0;  ///< bytes per second; 0 is unlimited
  double jitter = 0;     ///< up to this many additional seconds, drawn from the seed
};

/// An agent that vanishes during a run.
struct Departure {
  AgentId agent = 0;
  std::uint32_t round = 0;           ///< its last
  std::uint64_t vanishes_after = 0;  ///< how many messages it still sends in that round
  std::uint32_t run = 0;             ///< the protocol execution
  /// If given, it vanishes at this virtual time instead: from then on it sends `vanishes_after` more
  /// messages.
  std::optional<double> at = {};
};

struct SimulatorOptions {
  unsigned threads = 0;  ///< 0: all cores
  std::uint64_t seed = 1;
  NetworkModel network;
  std::vector<AgentId> coalition;  ///< whose view is recorded
  Progress* progress = nullptr;    ///< counts messages sent; must outlive the simulator
  std::vector<Departure> departures = {};
  /// Returns what an agent sends instead of a message, for tests with hostile agents. May be called from
  /// several threads. Without it, or if it returns nothing, messages are sent unchanged.
  using Instead = std::vector<std::pair<Tag, std::vector<std::byte>>>;
  std::function<std::optional<Instead>(AgentId from, AgentId to, const Tag&, std::span<const std::byte>)>
      tamper = {};
};

/// The cost of all runs so far.
struct SimulationCost {
  std::uint64_t rounds = 0;      ///< the longest chain of messages that wait for each other
  std::uint64_t messages = 0;    ///< sent by all agents
  std::uint64_t bytes = 0;       ///< of payload
  double network_seconds = 0;    ///< the virtual clock of the last agent to finish
  double computing_seconds = 0;  ///< elapsed real time, with all threads
  double work_seconds = 0;       ///< real time that agents were running, summed over agents
  double busiest_seconds = 0;    ///< the longest of these times, which a deployment would see
};

/// The traffic of a link in both directions.
struct LinkTraffic {
  AgentId a = 0, b = 0;  ///< a < b
  std::uint64_t messages = 0, bytes = 0;
};

/// A message received by an agent of the coalition.
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

  /// Runs program(run) for each agent and helper to its end and returns the results by agent. If agents
  /// fail, throws the error of the one with the lowest number, which the message names. If all agents wait
  /// for messages that were never sent, throws an Error that names one of them and the message. Can be called
  /// repeatedly: clocks, streams and the agents' runs continue, and costs add up.
  template <class T>
  std::vector<T> run(const std::function<Task<T>(Run&)>& program) {
    std::vector<Task<T>> tasks = driven(program);
    std::vector<T> results;
    for (AgentId i = 0; i < agents(); ++i)
      if (tasks[i].done()) with_agent(i, [&] { results.push_back(tasks[i].result()); });
    if (results.size() != agents()) throw_stalled();
    return results;
  }

  /// The outcome of one agent in a run in which agents may vanish.
  template <class T>
  struct Outcome {
    std::optional<T> result;
    std::string error;  ///< why there is no result; empty for an agent that has vanished
  };

  /// As run(), for protocols that continue when agents vanish. Returns the result or the error of each agent.
  template <class T>
  std::vector<Outcome<T>> run_with_losses(const std::function<Task<T>(Run&)>& program) {
    std::vector<Task<T>> tasks = driven(program);
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

  std::size_t agents() const;  ///< including helpers
  SimulationCost cost() const;
  std::vector<LinkTraffic> traffic() const;  ///< of each link, ordered by a and then b

  /// All messages received by the coalition, by agent: first those that the agent has read, in order, then
  /// the rest.
  std::vector<Received> view() const;

 private:
  struct Actor;
  struct State;

  // Starts program(run) for each agent and helper, and drives all until none can continue.
  template <class T>
  std::vector<Task<T>> driven(const std::function<Task<T>(Run&)>& program) {
    std::vector<Task<T>> tasks;
    std::vector<std::coroutine_handle<>> handles;
    for (AgentId i = 0; i < agents(); ++i) {
      tasks.push_back(program(run_of(i)));
      handles.push_back(tasks.back().handle());
    }
    drive(handles);
    return tasks;
  }

  Run& run_of(AgentId agent);
  void drive(std::span<const std::coroutine_handle<>> handles);
  bool fail_receivers_of_vanished();
  bool vanished(AgentId agent) const;
  static void with_agent(AgentId agent, const std::function<void()>& get);
  [[noreturn]] void throw_stalled() const;

  std::unique_ptr<State> state_;
};

}  // namespace tacit
