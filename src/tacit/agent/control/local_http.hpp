// An HTTP server that only this machine can reach: the common part of the servers of metrics and of the page.
#pragma once

#include <chrono>
#include <cstddef>
#include <functional>
#include <memory>
#include <string>

namespace httplib {
struct Request;
class Server;
}  // namespace httplib

namespace tacit {

/// Whether `host`, without a port, is in 127.0.0.0/8, or is ::1 or localhost.
bool is_loopback(const std::string& host);

/// Whether the Host header of a request names this machine. The check keeps web sites from reading local data
/// through the browser of a user of this machine (DNS rebinding).
bool asks_for_this_machine(const httplib::Request& request);

struct LocalHttpOptions {
  std::string field;                 ///< the field of agent.toml with `listen`, for errors
  std::string listen;                ///< host:port of this machine; port 0 selects a free port
  std::size_t workers = 2;           ///< requests answered at the same time
  std::ptrdiff_t connections = 16;   ///< open at the same time; others wait in the system's queue
  std::chrono::seconds patience{2};  ///< time limit for a client to continue
  std::size_t most_bytes = 1024;     ///< of a request's body
};

/// Answers on its own threads. A client that hangs blocks only one of them, for a few seconds.
class LocalHttp {
 public:
  /// `routes` registers the handlers. A handler may run after this object is destroyed, if a client sends
  /// bytes slowly for hours, so handlers must own what they use. Throws InputError if the address is in use.
  LocalHttp(const LocalHttpOptions& options, const std::function<void(httplib::Server&)>& routes);
  /// Accepts no more requests, and waits a few seconds for those in progress.
  ~LocalHttp();
  LocalHttp(const LocalHttp&) = delete;

  int port() const;
  /// host:port as browsers write it, with the address that is bound: "127.0.0.1:8741" for localhost.
  std::string address() const;

 private:
  struct State;
  std::shared_ptr<State> state_;
};

}  // namespace tacit
