// Agents on loopback in one process, each a real node with real sockets, for tests.
#pragma once

#include <gtest/gtest.h>

#include <condition_variable>
#include <future>
#include <map>
#include <memory>
#include <mutex>
#include <set>

#include "tacit/identity/certificate.hpp"
#include "tacit/identity/identity_testing.h"
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

/// The seed of a test's random choices: TACIT_SEED, or a new one every time. Failures must name it, so that
/// they can be repeated.
std::uint64_t seed();

/// A loopback address that nothing else is likely to use: ports on it are free and stay free. Ports of
/// 127.0.0.1 do not, as outgoing connections get them too.
std::string loopback_host();

/// Everybody of the roster brings 1, 10, 100, ... and tells the exact sum: it shows who took part. Fails,
/// saying so, when that is not the sum of the roster.
NodeProgram adding(std::size_t agents);
/// That sum; -1, and a failed test with the error, when there is none.
int sum_in(const RunOutcome& outcome);

/// What agents need to be made, made again and compared.
class Town {
 public:
  explicit Town(Graph graph, Timeouts timeouts = short_timeouts());
  /// A town that another process has saved.
  explicit Town(const std::filesystem::path& file);
  /// All of it, secrets too, for agents in other processes.
  void write(const std::filesystem::path& file) const;
  const std::filesystem::path& folder() const { return folder_; }

  NodeOptions options(AgentId agent) const;
  /// Starts all that are not there.
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
  /// How many lines of the agent's log have these words.
  std::size_t logged(AgentId agent, const std::string& words) const;
  std::string log_of(AgentId agent) const;
  /// Waits until there is such a line; false when there is none in time.
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
