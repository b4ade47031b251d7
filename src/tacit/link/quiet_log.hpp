// A log that does not repeat itself: strangers who try to connect all day must not fill it.
#pragma once

#include <chrono>
#include <cstdint>
#include <map>
#include <mutex>
#include <string>

#include "tacit/link/node_options.hpp"

namespace tacit {

class QuietLog {
 public:
  /// Repeats of one topic are counted, and logged at most once every `pause`.
  explicit QuietLog(LogSink sink, std::chrono::milliseconds pause = std::chrono::minutes(10))
      : sink_(std::move(sink)), pause_(pause) {}

  void say(LogLevel level, const std::string& text) { sink_(level, text); }
  void say_once(LogLevel level, const std::string& topic, const std::string& text);

 private:
  struct Said {
    std::chrono::steady_clock::time_point when;
    std::uint64_t since = 0;  // not said since then
  };
  const LogSink sink_;
  const std::chrono::milliseconds pause_;
  std::mutex guard_;
  std::map<std::string, Said> said_;  // few topics: at most most_topics
};

}  // namespace tacit
