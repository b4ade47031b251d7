#include "tacit/link/transport/quiet_log.hpp"

#include <fmt/format.h>

namespace tacit {
namespace {

constexpr std::size_t most_topics = 10'000;  // further ones count as one topic

}  // namespace

void QuietLog::write_at_most(std::size_t most, LogLevel level, const std::string& topic,
                             const std::string& text) {
  std::string line = text;
  {
    const std::lock_guard lock(guard_);
    if (!counts(topic, most, line)) return;
  }
  sink_(level, line);
}

void QuietLog::write_once_of(const std::string& group, LogLevel level, const std::string& topic,
                             const std::string& text) {
  std::string line = text;
  {
    const std::lock_guard lock(guard_);
    const auto known = topics_.find(topic);
    const bool repeated = known != topics_.end() && known->second.written > 0 &&
                          std::chrono::steady_clock::now() - known->second.since < pause_;
    std::string unused;
    // When the group is full, a new topic takes no memory.
    if (!repeated && !counts("group " + group, most_of_group, unused)) return;
    if (!counts(topic, 1, line)) return;
  }
  sink_(level, line);
}

// Counts the line. Whether it is to be written; if lines were left out before it, it states how many.
bool QuietLog::counts(const std::string& topic, std::size_t most, std::string& line) {
  const auto now = std::chrono::steady_clock::now();
  const bool room = topics_.size() < most_topics || topics_.contains(topic);
  Topic& known = topics_.try_emplace(room ? topic : std::string(), Topic{now}).first->second;
  if (now - known.since >= pause_) {
    if (known.left_out > 0) line += fmt::format(" ({} times since this was last logged)", known.left_out + 1);
    known = {now};
  }
  if (known.written == most) {
    ++known.left_out;
    return false;
  }
  ++known.written;
  return true;
}

}  // namespace tacit
