// Delays the next run of an originator that announced or began a run and did not complete it. The delay
// doubles with each failure in a row, so that other originators get their turn.
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

  /// `first` is the delay after the first failure. Each further one in a row doubles it, up to `longest`.
  explicit Backoff(Span first) : first_(first) {}

  /// The originator did not start the run that it announced, or left a run of its own.
  void failed(AgentId originator, Time now) {
    Debt& debt = debts_[originator];
    debt.until = std::max(debt.until, now + std::min(longest, first_ * (1l << std::min(debt.failures, 20u))));
    ++debt.failures;
  }
  /// The originator withdrew its announcement after this time: the others get as much time.
  void held(AgentId originator, Time now, Span time) {
    if (time < first_) return;
    Debt& debt = debts_[originator];
    debt.until = std::max(debt.until, now + std::min(longest, time));
  }
  /// A run of the originator succeeded.
  void finished(AgentId originator) { debts_.erase(originator); }

  /// Whole seconds that the originator must still wait; 0 if none.
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
