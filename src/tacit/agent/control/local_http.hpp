// HTTP for this machine alone: what the servers of metrics and of the page have in common.
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

/// 127.0.0.0/8, ::1 or localhost, without a port.
bool is_loopback(const std::string& host);

/// Does the request call the machine that it asks by a name of this one? A page of some web site must not
/// read what is here through the browser of somebody on this machine; the name that the browser asked for is
/// in the request.
bool asks_for_this_machine(const httplib::Request& request);

struct LocalHttpOptions {
  std::string field;                 ///< of agent.toml that names `listen`, for errors
  std::string listen;                ///< host:port of this machine; port 0 takes any free one
  std::size_t workers = 2;           ///< requests that are answered at once
  std::ptrdiff_t connections = 16;   ///< taken at once; others wait with the system
  std::chrono::seconds patience{2};  ///< for a client to go on
  std::size_t most_bytes = 1024;     ///< of a request's body
};

/// Answers on threads of its own. A client that hangs holds one of these for a few seconds, and nothing else.
class LocalHttp {
 public:
  /// `routes` says how to answer. Should a client drip bytes for hours, a handler may be called when this
  /// object is gone: handlers must own what they use. Throws InputError when the address is taken.
  LocalHttp(const LocalHttpOptions& options, const std::function<void(httplib::Server&)>& routes);
  /// Takes no more requests, and waits a few seconds for those under way.
  ~LocalHttp();
  LocalHttp(const LocalHttp&) = delete;

  int port() const;

 private:
  struct State;
  std::shared_ptr<State> state_;
};

}  // namespace tacit
