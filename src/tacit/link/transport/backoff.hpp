// How long originators must wait that keep others waiting. One whose announced run comes to nothing is made
// to wait before its next one, longer each time, so that the others get their turn.
#pragma once

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <map>

#include "tacit/base/types.hpp"

namespace tacit {

class Backoff {
 public:
  using Time = std::chrono::steady_clock::time_point;
  using Span = std::chrono::steady_clock::duration;
  static constexpr Span longest = std::chrono::hours(1);

  /// `first` is what the first failure costs. Each further one in a row costs twice as much.
  explicit Backoff(Span first) : first_(first) {}

  /// It did not start what it had announced, or left a run of its own.
  void failed(AgentId originator, Time now) {
    Debt& debt = debts_[originator];
    debt.until = std::max(debt.until, now + std::min(longest, first_ * (1l << std::min(debt.failures, 20u))));
    ++debt.failures;
  }
  /// It withdrew what it had announced, after this long: the others get as much time.
  void held(AgentId originator, Time now, Span time) {
    if (time < first_) return;
    Debt& debt = debts_[originator];
    debt.until = std::max(debt.until, now + std::min(longest, time));
  }
  /// A run of its has ended well.
  void finished(AgentId originator) { debts_.erase(originator); }

  /// Whole seconds that it must still wait; 0 when it need not.
  std::uint64_t seconds_left(AgentId originator, Time now) const {
    const auto at = debts_.find(originator);
    if (at == debts_.end() || at->second.until <= now) return 0;
    return static_cast<std::uint64_t>(
        std::chrono::ceil<std::chrono::seconds>(at->second.until - now).count());
  }

 private:
  struct Debt {
    unsigned failures = 0;
    Time until{};
  };
  const Span first_;
  std::map<AgentId, Debt> debts_;
};

}  // namespace tacit
