// Agents in processes of their own, for tests that kill them.
#pragma once

#include <sys/types.h>

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "tacit/link/node/node_testing.hpp"

namespace tacit::testing {

/// A running network_agent.
class AgentProcess {
 public:
  AgentProcess(const std::filesystem::path& network, AgentId agent);
  ~AgentProcess() { kill(); }
  AgentProcess(const AgentProcess&) = delete;

  /// Sends SIGKILL; the process has ended when this returns.
  void kill();
  void pause();   ///< SIGSTOP; returns when every thread has stopped
  void resume();  ///< SIGCONT
  /// Returns when the process has stopped itself or has ended.
  void wait_until_stopped();
  /// Closes its stdin, so that it ends. Returns its exit code.
  int end();

  void tell(const std::string& line);
  /// Its next line of output; none if it has ended, or on timeout.
  std::optional<std::string> hear(Milliseconds time = 60s);

  std::size_t resident_bytes() const;
  /// The most that it had so far.
  std::size_t most_resident_bytes() const;
  /// Limits its descriptors, as ulimit -n does.
  void limit_descriptors(unsigned most) const;

 private:
  pid_t pid_ = 0;
  int in_ = -1, out_ = -1;
  std::string heard_;
};

/// All agents of a network, each in its own process.
class ProcessNetwork {
 public:
  explicit ProcessNetwork(Graph graph, Timeouts timeouts = short_timeouts());
  void start(AgentId agent) { agents_[agent] = std::make_unique<AgentProcess>(file_, agent); }
  AgentProcess& operator[](AgentId agent) { return *agents_[agent]; }
  std::size_t size() const { return agents_.size(); }
  /// Waits until all agents have links to all their neighbours; false on timeout.
  bool linked();
  const TestNetwork& network() const { return network_; }
  std::string log_of(AgentId agent) const;
  /// Waits until the agent's log, from the offset `since`, has a line with all these words. False on timeout.
  bool logs(AgentId agent, const std::vector<std::string>& words, std::size_t since = 0) const;

 private:
  TestNetwork network_;
  std::filesystem::path file_;
  std::vector<std::unique_ptr<AgentProcess>> agents_;
};

}  // namespace tacit::testing
