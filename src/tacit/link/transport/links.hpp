// All links of one agent: the server to which neighbours connect, and the link to each neighbour.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "tacit/link/transport/link.hpp"

namespace tacit {

class Links {
 public:
  /// Starts to listen, and dials from the first tick(). The options and the listener must outlive it, and the
  /// pool all payloads. Throws InputError for unusable certificates or addresses.
  Links(const NodeOptions& options, LinkListener& listener, QuietLog& log, std::shared_ptr<PayloadPool> pool);
  ~Links();
  Links(const Links&) = delete;

  /// The address on which this agent listens, with the actual port.
  const std::string& address() const { return address_; }

  /// Queues a frame for a neighbour and returns at once. Throws Error if the payload or the queue is too
  /// large.
  void send(AgentId to, wire::Header header, Payload payload = {});

  /// Does what is due. Call it again at the time it returns, and after LinkListener::due_earlier().
  Link::Clock::time_point tick();
  LinkStatus status(AgentId neighbour) const;
  /// Wait for every link; see Link.
  bool wait_until_up(Link::Clock::time_point deadline) const;
  bool wait_until_acknowledged(Link::Clock::time_point deadline) const;
  const std::vector<AgentId>& neighbours() const { return neighbours_; }

 private:
  class Server;
  Link& link(AgentId neighbour) const;

  const NodeOptions& options_;
  QuietLog& log_;
  const std::shared_ptr<PayloadPool> pool_;
  std::vector<AgentId> neighbours_;
  std::vector<std::unique_ptr<Link>> links_;  // in the order of neighbours_
  std::string address_;
  std::unique_ptr<Server> server_;
};

}  // namespace tacit
