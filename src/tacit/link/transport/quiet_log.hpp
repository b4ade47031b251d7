// A log that limits repeated lines, so that unknown peers that keep connecting cannot fill it.
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
  /// In every `pause`, a topic is logged once, or `most` times. Further lines are only counted.
  explicit QuietLog(LogSink sink, std::chrono::milliseconds pause = std::chrono::minutes(10))
      : sink_(std::move(sink)), pause_(pause) {}

  void write(LogLevel level, const std::string& text) { sink_(level, text); }
  void write_once(LogLevel level, const std::string& topic, const std::string& text) {
    write_at_most(1, level, topic, text);
  }
  void write_at_most(std::size_t most, LogLevel level, const std::string& topic, const std::string& text);
  /// Logs the topic once, and at most `most_of_group` topics of the group: for texts that a peer chooses.
  void write_once_of(const std::string& group, LogLevel level, const std::string& topic,
                     const std::string& text);

  static constexpr std::size_t most_of_group = 20;

 private:
  struct Topic {
    std::chrono::steady_clock::time_point since;
    std::size_t written = 0;  // since then
    std::uint64_t left_out = 0;
  };
  bool counts(const std::string& topic, std::size_t most, std::string& line);

  const LogSink sink_;
  const std::chrono::milliseconds pause_;
  std::mutex guard_;
  std::map<std::string, Topic> topics_;  // at most most_topics
};

}  // namespace tacit
