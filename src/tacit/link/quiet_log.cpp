#include "tacit/link/quiet_log.hpp"

#include <fmt/format.h>

namespace tacit {
namespace {

constexpr std::size_t most_topics = 1000;  // then all further ones count as one

}  // namespace

void QuietLog::say_once(LogLevel level, const std::string& topic, const std::string& text) {
  const auto now = std::chrono::steady_clock::now();
  std::string line = text;
  {
    const std::lock_guard lock(guard_);
    const bool room = said_.size() < most_topics || said_.contains(topic);
    const auto [at, fresh] = said_.try_emplace(room ? topic : std::string(), Said{now});
    if (!fresh) {
      ++at->second.since;
      if (now - at->second.when < pause_) return;
      line += fmt::format(" ({} times since this was last said)", at->second.since);
      at->second = {now};
    }
  }
  sink_(level, line);
}

}  // namespace tacit
