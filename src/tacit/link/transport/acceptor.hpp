// Accepts connections under limits, on a thread of its own. A connection is passed on only when its first
// message has arrived, so a program that connects and sends nothing reaches neither gRPC nor a worker. Knows
// sockets, not what they are for.
#pragma once

#include <poll.h>

#include <atomic>
#include <chrono>
#include <cstdint>
#include <functional>
#include <list>
#include <string>
#include <thread>
#include <vector>

#include "tacit/base/system/descriptors.hpp"
#include "tacit/link/transport/first_message.hpp"
#include "tacit/link/transport/listener.hpp"
#include "tacit/link/transport/quiet_log.hpp"

namespace tacit {

struct AcceptLimits {
  static constexpr std::size_t no_limit = static_cast<std::size_t>(-1);
  /// Connections whose first message has not arrived. When there are more, one is closed: the oldest of the
  /// address that has the most of them. An address is an IPv4 address or a /64 network of IPv6.
  std::size_t waiting = 128;
  std::size_t open = 256;              ///< connections that were passed on and are still open
  std::size_t open_of_one = no_limit;  ///< of these, from one address
  /// Of these, from one address and younger than `patience`: what one stranger can occupy.
  std::size_t young = 16;
  /// Connections from one address that were passed on within `patience`, with those that are closed again.
  std::size_t recent = no_limit;
  /// The highest descriptors, which are reserved for other uses than these connections.
  int reserve = 0;
  std::chrono::milliseconds patience{5000};  ///< for the first message

  /// Descriptors that connections of strangers, and of programs on this machine, never use: they are reserved
  /// for other uses.
  static int reserve_from_strangers();
  static int reserve_from_local_programs();
};

struct AcceptRules {
  std::string name;  ///< of the listener, for the log
  AcceptLimits limits;
  std::function<FirstMessage(int socket)> first;
  /// Owns the socket from then on.
  std::function<void(int socket)> take;
  /// A connection is ready, but too many are open.
  std::function<void()> crowded = [] {};
  LogSink log = [](LogLevel, const std::string&) {};
};

class Acceptor {
 public:
  Acceptor(Listener listener, AcceptRules rules);
  /// Closes the listener and all connections that were not passed on.
  ~Acceptor();
  Acceptor(const Acceptor&) = delete;

 private:
  using Clock = std::chrono::steady_clock;
  struct Waiting {
    Descriptor socket;
    std::string address;
    Clock::time_point since;
    bool looked_at = false;  // part of its message has arrived, or there is no room for it
    bool complete = false;
  };
  struct Passed {  // identifies the socket, because the number is used again after it was closed
    int socket;
    std::uint64_t inode;
    std::string address;
    Clock::time_point since;
    bool open = true;
  };

  void run();
  std::vector<pollfd> what_to_poll() const;
  int poll_limit() const;
  void watch_listener();
  void accept_all();
  bool accept_one(int listener);
  void admit(Descriptor socket, std::string address);
  void shed(int listener);
  void examine(const pollfd* polled);
  FirstMessage examined(Waiting& one, short events);
  bool room_for(const std::string& address);
  void forget_closed();
  std::list<Waiting>::iterator which_gives_way();
  void pass_on(Waiting& one);
  void note(const std::string& topic, const std::string& text);

  Listener listener_;
  const AcceptRules rules_;
  QuietLog log_;
  const Descriptor wake_;
  Descriptor spare_;  // given up for a moment to refuse a connection when no other descriptor is free
  std::list<Waiting> waiting_;
  std::vector<Passed> passed_;
  Clock::time_point next_look_, next_watch_, accept_after_, next_count_;
  bool broken_ = false;  // the listener must be created again
  std::atomic<bool> stopping_ = false;
  std::thread thread_;
};

}  // namespace tacit
