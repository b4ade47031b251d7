// How ranks notice that one of them has ended: a TCP connection between rank 0 and each other rank, which the
// system closes when a process ends, however it does. MPI alone would wait for ever.
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

class Lifeline {
 public:
  /// Every rank of the team makes one. Throws Error, at rank 0, when a rank has not connected in that time,
  /// and in that which it takes to try all addresses: nobody would notice its end.
  explicit Lifeline(Team& team, std::chrono::milliseconds patience = std::chrono::seconds(10));
  /// A rank that gets here has not ended before its time.
  ~Lifeline();
  Lifeline(const Lifeline&) = delete;

  /// Who has ended before its time, in words; nothing while all is well.
  std::optional<std::string> lost() const;
  void when_lost(Team::Lost tell);

  /// Whoever waits for a rank asks this now and then. A rank that took its leave has sent all before that, so
  /// who still waits for it some seconds later would wait for ever: it counts as lost.
  void check_wait(std::size_t rank, std::chrono::steady_clock::time_point since);

 private:
  struct Peer {
    int socket = -1;
    std::size_t rank = 0;
    std::string words;  // where it is
    std::optional<std::chrono::steady_clock::time_point> left = {};
  };

  void connect(Team& team, std::chrono::milliseconds patience);
  void close_all();
  void listen_for(Team& team, const std::vector<std::string>& places, const std::string& token,
                  std::chrono::milliseconds patience);
  void let_in(int door, const std::string& token, const std::vector<std::string>& words,
              std::chrono::steady_clock::time_point until);
  bool greeted(int socket, const std::string& said, const std::string& token,
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
