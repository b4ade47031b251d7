// Detects that a rank has ended: rank 0 has a TCP connection to each other rank, which the operating system
// closes when a process ends, also after a crash. MPI alone would wait forever.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "tacit/ranks/team/team.hpp"

namespace tacit {

class RankWatch {
 public:
  /// Every rank of the team creates one. Throws Error at rank 0 if a rank does not connect within `patience`
  /// plus the time to try all addresses, because its end would go unnoticed.
  explicit RankWatch(Team& team, std::chrono::milliseconds patience = std::chrono::seconds(10));
  /// Announces a normal end to the other ranks.
  ~RankWatch();
  RankWatch(const RankWatch&) = delete;

  /// Returns a message with the rank that has ended unexpectedly; nothing if there is none.
  std::optional<std::string> lost() const;
  void when_lost(Team::Lost tell);

  /// Called from time to time while waiting for a rank. A rank that announced its end has sent everything
  /// before. If its message has not arrived some seconds later, it never will, and the rank counts as lost.
  void check_wait(std::size_t rank, std::chrono::steady_clock::time_point since);

 private:
  struct Peer {
    int socket = -1;
    std::size_t rank = 0;
    std::string words;  // its machine and process
    std::optional<std::chrono::steady_clock::time_point> left = {};
  };

  void connect(Team& team, std::chrono::milliseconds patience);
  void close_all();
  void listen_for(Team& team, const std::vector<std::string>& places, const std::string& token,
                  std::chrono::milliseconds patience);
  void let_in(int door, const std::string& token, const std::vector<std::string>& words,
              std::chrono::steady_clock::time_point until);
  bool greeted(int socket, const std::string& hello, const std::string& token,
               const std::vector<std::string>& words);
  void dial(std::string where, const std::string& token, std::size_t rank);
  void watch();
  void note_lost(const Peer& peer);

  std::vector<Peer> peers_;
  int stop_[2] = {-1, -1};
  std::thread watcher_;
  mutable std::mutex guard_;
  std::optional<std::string> lost_;
  Team::Lost tell_;
};

}  // namespace tacit
