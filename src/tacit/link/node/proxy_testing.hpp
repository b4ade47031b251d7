// A bad network between two agents: a TCP proxy that delays, cuts and repeats data.
#pragma once

#include <atomic>
#include <cstdint>
#include <list>
#include <mutex>
#include <random>
#include <string>
#include <thread>

namespace tacit::testing {

struct Faults {
  unsigned delay_ms = 0;  ///< the longest delay of a piece
  double cut = 0;         ///< probability that the connection is cut after half of a piece
  double repeat = 0;      ///< probability that a piece is sent twice
};

class Proxy {
 public:
  Proxy(std::string target, Faults faults, std::uint64_t seed);
  ~Proxy();

  std::string address() const { return "127.0.0.1:" + std::to_string(port_); }
  /// Changes the faults for all data that follow.
  void become(Faults faults);
  /// Ends all current connections.
  void cut_all();
  std::uint64_t cuts() const { return cuts_; }
  std::uint64_t repeats() const { return repeats_; }

 private:
  struct Pair {
    int a, b;
    std::thread there, back;
  };
  void accept_all();
  void pump(int from, int to);
  bool chance(double p);
  Faults faults();

  const std::string target_;
  int listener_ = -1, port_ = 0;
  std::mutex guard_;
  Faults faults_;
  std::mt19937_64 random_;
  std::list<Pair> pairs_;
  std::atomic<bool> stopping_{false};
  std::atomic<std::uint64_t> cuts_{0}, repeats_{0};
  std::thread acceptor_;
};

/// A TCP connection to host:port; -1 when refused.
int connect_to(const std::string& address);

}  // namespace tacit::testing
