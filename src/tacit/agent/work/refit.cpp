#include "tacit/agent/work/refit.hpp"

#include <algorithm>

namespace tacit {

using namespace std::chrono_literals;

void Refits::set(std::optional<std::chrono::seconds> every) {
  const std::lock_guard lock(guard_);
  if (every_ == every) return;
  every_ = every;
  if (!every) return;
  const auto most = std::min<std::chrono::milliseconds>(*every / 20, 1min);
  pause_ = std::chrono::milliseconds(std::uniform_int_distribution<long>(0, most.count())(random_));
  // Leave time for the links to connect.
  not_before_ = std::max(not_before_, utc_now() + std::min<std::chrono::milliseconds>(*every, 10s));
}

bool Refits::on() const {
  const std::lock_guard lock(guard_);
  return every_.has_value();
}

std::optional<UtcTime> Refits::due(std::optional<UtcTime> fitted) const {
  const std::lock_guard lock(guard_);
  if (!every_) return std::nullopt;
  return std::max(not_before_, fitted ? *fitted + *every_ + pause_ : not_before_);
}

void Refits::asked(UtcTime now) {
  const std::lock_guard lock(guard_);
  if (every_) not_before_ = now + std::clamp<std::chrono::milliseconds>(*every_ / 10, 1s, 1h);
}

}  // namespace tacit
