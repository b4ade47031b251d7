// Agents on the loopback interface in one process, each a real node with real sockets, for tests.
#pragma once

#include <gtest/gtest.h>

#include <condition_variable>
#include <future>
#include <map>
#include <memory>
#include <mutex>
#include <set>

#include "tacit/identity/certificate.hpp"
#include "tacit/identity/identity_testing.hpp"
#include "tacit/link/node/node.hpp"

namespace tacit::testing {

using namespace std::chrono_literals;

inline Timeouts short_timeouts() {
  Timeouts timeouts;
  timeouts.keepalive = 500ms;
  timeouts.loss = 1500ms;
  timeouts.silence = 20s;
  timeouts.gather = 8s;
  timeouts.start = 2s;
  timeouts.queue = 60s;
  return timeouts;
}

/// The seed of a test's random choices: TACIT_SEED, or a new one every time. Failure messages must contain
/// it, so that the failure can be repeated.
std::uint64_t seed();

/// A loopback address that no other program is likely to use, so that its ports are free and stay free. Ports
/// of 127.0.0.1 do not stay free, because outgoing connections use them.
std::string loopback_host();

/// What an agent contributes: 1, 10, 100, ..., and with more than seven agents 1, 2, 4, ...
double term_of(AgentId agent, std::size_t agents);
/// The agents of the roster contribute these terms and return the exact sum, which shows who took part.
/// The run fails with an error if the sum is not that of the roster.
NodeProgram adding(std::size_t agents);
/// The sum; -1 and a failed test with the error if there is none.
int sum_in(const RunOutcome& outcome);

/// The agents of a test, with all that is needed to start, stop and restart them.
class TestNetwork {
 public:
  explicit TestNetwork(Graph graph, Timeouts timeouts = short_timeouts());
  /// Reads a network that another process has written.
  explicit TestNetwork(const std::filesystem::path& file);
  /// Writes all of it, secrets included, for agents in other processes.
  void write(const std::filesystem::path& file) const;
  const std::filesystem::path& folder() const { return folder_; }

  NodeOptions options(AgentId agent) const;
  /// Starts all agents that are not running.
  void start(const NodeProgram& program);
  void start(AgentId agent, const NodeProgram& program) { start(agent, program, options(agent)); }
  void start(AgentId agent, const NodeProgram& program, NodeOptions options);
  const std::string& address(AgentId agent) const { return peers_[agent].address; }
  void stop(AgentId agent) { nodes_[agent].reset(); }
  Node& operator[](AgentId agent) { return *nodes_[agent]; }
  std::size_t agents() const { return peers_.size(); }
  /// Rosters.
  std::vector<AgentId> everybody() const { return all_but({}); }
  std::vector<AgentId> all_but(const std::set<AgentId>& absent) const;
  void wait_for_links();

  std::vector<Peer>& peers() { return peers_; }
  const Graph& graph() const { return graph_; }
  /// The number of lines of the agent's log that contain these words.
  std::size_t logged(AgentId agent, const std::string& words) const;
  std::string log_of(AgentId agent) const;
  /// Waits for such a line; false on timeout.
  bool wait_for_log(AgentId agent, const std::string& words) const;

 private:
  void settle(AgentId agent, const std::string& address, std::span<const std::byte> seed, TlsKeys keys);

  std::unique_ptr<ScratchFolder> own_folder_;
  std::filesystem::path folder_;
  Graph graph_;
  Timeouts timeouts_;
  std::vector<std::vector<std::byte>> seeds_;
  std::vector<Identity> identities_;
  std::vector<TlsKeys> keys_;
  std::vector<Peer> peers_;
  mutable std::mutex guard_;
  mutable std::condition_variable changed_;
  mutable std::map<AgentId, std::vector<std::string>> log_;
  std::vector<std::unique_ptr<Node>> nodes_;
};

}  // namespace tacit::testing
