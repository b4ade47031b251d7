// A bad network between two agents: a TCP proxy that delays, cuts and repeats what goes through it.
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
  unsigned delay_ms = 0;  ///< each piece is held back up to this long
  double cut = 0;         ///< chance that a piece is the last, and only half of it gets through
  double repeat = 0;      ///< chance that a piece comes twice
};

class Proxy {
 public:
  Proxy(std::string target, Faults faults, std::uint64_t seed);
  ~Proxy();

  std::string address() const { return "127.0.0.1:" + std::to_string(port_); }
  /// From now on.
  void become(Faults faults);
  /// Ends all connections there are.
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
