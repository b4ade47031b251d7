#include "tacit/link/transport/quiet_log.hpp"

#include <fmt/format.h>

namespace tacit {
namespace {

constexpr std::size_t most_topics = 10'000;  // then all further ones count as one

}  // namespace

void QuietLog::say_at_most(std::size_t most, LogLevel level, const std::string& topic,
                           const std::string& text) {
  const auto now = std::chrono::steady_clock::now();
  std::string line = text;
  {
    const std::lock_guard lock(guard_);
    const bool room = said_.size() < most_topics || said_.contains(topic);
    Said& said = said_.try_emplace(room ? topic : std::string(), Said{now}).first->second;
    if (now - said.since >= pause_) {
      if (said.left_out > 0) line += fmt::format(" ({} times since this was last said)", said.left_out + 1);
      said = {now};
    }
    if (said.times == most) {
      ++said.left_out;
      return;
    }
    ++said.times;
  }
  sink_(level, line);
}

}  // namespace tacit
