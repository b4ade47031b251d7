// Stops the run of a rival when it has taken, or would take, more than its limit. Part of the rivals: a
// baseline for measurements, which agents never run.
#pragma once

#include <chrono>
#include <exception>
#include <string>

namespace tacit {

/// Ends a run. Not an Error, because the run is correct, but too long.
struct TimeUp : std::exception {
  explicit TimeUp(double spent) : seconds(spent) {}
  const char* what() const noexcept override { return "the run of a rival exceeds its limit"; }
  double seconds;
};

/// The clock of one phase.
class RivalWatch {
 public:
  /// `before` is the seconds of earlier phases.
  RivalWatch(double limit, double before) : limit_(limit), before_(before) {}

  double spent() const {
    return before_ + std::chrono::duration<double>(std::chrono::steady_clock::now() - start_).count();
  }

  /// The clock of the next phase. The duration of this phase is not used to predict that of the next.
  RivalWatch next() const { return {limit_, spent()}; }

  /// Throws TimeUp if the limit is exceeded, or will be. `part` is the completed fraction of this phase's
  /// computation. It has taken `network` of the virtual clock and will take another `network_to_come`.
  void check(double part, double network, double network_to_come) const {
    const double computed = spent() - before_, now = before_ + computed + network;
    const bool predictable = part > 0.05 && computed > 0.01 * limit_;
    const double expected = now + network_to_come + (predictable ? computed * (1 / part - 1) : 0);
    if (expected > limit_) throw TimeUp(now);
  }

 private:
  std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
  double limit_, before_;
};

}  // namespace tacit
