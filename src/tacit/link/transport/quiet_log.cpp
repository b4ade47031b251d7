#include "tacit/link/transport/quiet_log.hpp"

#include <fmt/format.h>

namespace tacit {
namespace {

constexpr std::size_t most_topics = 10'000;  // further ones count as one topic

}  // namespace

void QuietLog::write_at_most(std::size_t most, LogLevel level, const std::string& topic,
                             const std::string& text) {
  const auto now = std::chrono::steady_clock::now();
  std::string line = text;
  {
    const std::lock_guard lock(guard_);
    const bool room = topics_.size() < most_topics || topics_.contains(topic);
    Topic& known = topics_.try_emplace(room ? topic : std::string(), Topic{now}).first->second;
    if (now - known.since >= pause_) {
      if (known.left_out > 0)
        line += fmt::format(" ({} times since this was last logged)", known.left_out + 1);
      known = {now};
    }
    if (known.written == most) {
      ++known.left_out;
      return;
    }
    ++known.written;
  }
  sink_(level, line);
}

}  // namespace tacit
