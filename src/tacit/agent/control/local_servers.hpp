// The servers of an agent that only this machine can reach: metrics and the page. A port that cannot be
// opened does not keep the agent from running: the server is opened as soon as the port is free.
#pragma once

#include <chrono>
#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "tacit/agent/control/control.pb.h"
#include "tacit/link/node/node_options.hpp"

namespace tacit {

/// How long an agent waits before it tries again to open the port of a local server.
inline constexpr std::chrono::milliseconds listen_again{5'000};

/// A running server, which closes on destruction.
class LocalServer {
 public:
  LocalServer() = default;
  virtual ~LocalServer() = default;
  LocalServer(const LocalServer&) = delete;
  /// host:port as it is bound.
  virtual std::string address() const = 0;
};

/// Safe to call from several threads.
class LocalServers {
 public:
  explicit LocalServers(LogSink log, std::chrono::milliseconds again = listen_again);
  ~LocalServers();
  LocalServers(const LocalServers&) = delete;

  using Open = std::function<std::shared_ptr<LocalServer>()>;
  /// Adds a server. `field` is its field of agent.toml. `open` throws Error, as one sentence, if the server
  /// cannot be opened. It is called at once and then, on another thread, until it succeeds.
  void add(const std::string& field, Open open);
  /// Closes all servers.
  void close();

  /// Adds the address or the fault of each server, and the faults as notes.
  void report(control::StatusReply& reply) const;

 private:
  class Patient;
  const LogSink log_;
  const std::chrono::milliseconds again_;
  mutable std::mutex guard_;
  std::vector<std::unique_ptr<Patient>> all_;
};

}  // namespace tacit
