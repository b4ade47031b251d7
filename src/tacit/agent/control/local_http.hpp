// An HTTP server that only this machine can reach: the common part of the servers of metrics and of the page.
#pragma once

#include <chrono>
#include <cstddef>
#include <functional>
#include <memory>
#include <string>

#include "tacit/link/node/node_options.hpp"

namespace httplib {
struct Request;
class Server;
}  // namespace httplib

namespace tacit {

class Acceptor;

/// Whether `host`, without a port, is in 127.0.0.0/8, or is ::1 or localhost.
bool is_loopback(const std::string& host);

/// Whether the Host header of a request names this machine. The check keeps web sites from reading local data
/// through the browser of a user of this machine (DNS rebinding).
bool asks_for_this_machine(const httplib::Request& request);

struct LocalHttpOptions {
  std::string field;             ///< the field of agent.toml with `listen`, for errors
  std::string listen;            ///< host:port of this machine; port 0 selects a free port
  std::size_t connections = 16;  ///< answered at the same time, each on its own thread; others wait
  std::chrono::milliseconds patience{5'000};  ///< for the head of a request
  /// For a whole request, and then for a client to take its whole answer. A client that is slower than
  /// `yields_after` is disconnected earlier if others wait.
  std::chrono::milliseconds limit{10'000};
  std::chrono::milliseconds yields_after{1'000};
  std::size_t most_bytes = 0;  ///< of a request's body; 0: only GET and HEAD are accepted
  LogSink log = [](LogLevel, const std::string&) {};
};

/// For a handler: the answer to the current request may last for any time while its client takes each part of
/// it within LocalHttpOptions::limit. The handler must limit the number of such answers.
void let_answer_last();

/// Accepts connections under limits (Acceptor), and answers on its own threads. A client that hangs, or sends
/// or reads slowly, blocks only one of them, for a limited time. A request with a Range or a
/// Transfer-Encoding is refused, and answers are never compressed: both would cost more than the request.
class LocalHttp {
 public:
  /// `routes` registers the handlers. A handler may run after this object is destroyed, so handlers must own
  /// what they use. Throws InputError if the address is in use.
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
  int port_ = 0;
  std::string address_;
  std::unique_ptr<Acceptor> acceptor_;
};

}  // namespace tacit
