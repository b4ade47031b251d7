// When a run of a rival has taken, or would take, more than its limit. Part of the rivals, which are
// baselines for measuring: never part of what agents run.
#pragma once

#include <chrono>
#include <exception>
#include <string>

namespace tacit {

/// Ends a run. No Error: the run is as it should be, but long.
struct TimeUp : std::exception {
  explicit TimeUp(double spent) : seconds(spent) {}
  const char* what() const noexcept override { return "the run of a rival takes too long"; }
  double seconds;
};

/// The clock of one phase.
class RivalWatch {
 public:
  /// `before`: seconds that other phases have taken.
  RivalWatch(double limit, double before) : limit_(limit), before_(before) {}

  double spent() const {
    return before_ + std::chrono::duration<double>(std::chrono::steady_clock::now() - start_).count();
  }

  /// The clock of what comes now: what was spent so far says nothing about how long that takes.
  RivalWatch next() const { return {limit_, spent()}; }

  /// Throws TimeUp if the limit is over, or will be. This phase has done `part` of its computing; of the
  /// virtual clock it has taken `network`, and it will take `network_to_come`, which is known.
  void check(double part, double network, double network_to_come) const {
    const double computed = spent() - before_, now = before_ + computed + network;
    const bool telling = part > 0.05 && computed > 0.01 * limit_;
    const double expected = now + network_to_come + (telling ? computed * (1 / part - 1) : 0);
    if (expected > limit_) throw TimeUp(now);
  }

 private:
  std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
  double limit_, before_;
};

}  // namespace tacit
