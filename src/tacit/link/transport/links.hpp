// All links of one agent: the server that neighbours dial, and the links to each of them.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "tacit/link/transport/link.hpp"

namespace tacit {

class Links {
 public:
  /// Listens and dials from now on, once tick() is called. The options, the listener and the pool that
  /// payloads come from must outlive it. Throws InputError for unusable certificates or addresses.
  Links(const NodeOptions& options, LinkListener& listener, QuietLog& log, std::shared_ptr<PayloadPool> pool);
  ~Links();
  Links(const Links&) = delete;

  /// Where this agent listens; the port is the real one.
  const std::string& address() const { return address_; }

  /// Returns at once; `to` must be a neighbour. Throws Error for too large a payload and when too much waits.
  void send(AgentId to, wire::Header header, Payload payload = {});

  /// Does what is due. Call it again at the time it returns, and when the listener is told so.
  Link::Clock::time_point tick();
  LinkStatus status(AgentId neighbour) const;
  /// As those of every link.
  bool wait_until_up(Link::Clock::time_point deadline) const;
  bool wait_until_acknowledged(Link::Clock::time_point deadline) const;
  const std::vector<AgentId>& neighbours() const { return neighbours_; }

 private:
  class Door;
  Link& link(AgentId neighbour) const;

  const NodeOptions& options_;
  QuietLog& log_;
  const std::shared_ptr<PayloadPool> pool_;
  std::vector<AgentId> neighbours_;
  std::vector<std::unique_ptr<Link>> links_;  // in that order
  std::string address_;
  std::unique_ptr<Door> door_;
};

}  // namespace tacit
