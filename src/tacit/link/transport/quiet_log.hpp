// A log that does not repeat itself: strangers who try to connect all day must not fill it.
#pragma once

#include <chrono>
#include <cstdint>
#include <map>
#include <mutex>
#include <string>

#include "tacit/link/node/node_options.hpp"

namespace tacit {

class QuietLog {
 public:
  /// Repeats of one topic are counted, and logged at most once, or `most` times, every `pause`.
  explicit QuietLog(LogSink sink, std::chrono::milliseconds pause = std::chrono::minutes(10))
      : sink_(std::move(sink)), pause_(pause) {}

  void say(LogLevel level, const std::string& text) { sink_(level, text); }
  void say_once(LogLevel level, const std::string& topic, const std::string& text) {
    say_at_most(1, level, topic, text);
  }
  void say_at_most(std::size_t most, LogLevel level, const std::string& topic, const std::string& text);

 private:
  struct Said {
    std::chrono::steady_clock::time_point since;
    std::size_t times = 0;  // said since then
    std::uint64_t left_out = 0;
  };
  const LogSink sink_;
  const std::chrono::milliseconds pause_;
  std::mutex guard_;
  std::map<std::string, Said> said_;  // few topics: at most most_topics
};

}  // namespace tacit
