// When an agent requests a fit automatically: `[refit] every` in agent.toml, if the charter allows it. Every
// agent of a consortium may have this setting. All become due at about the same time, because the model has
// the same age everywhere. Only one fit results: the later agents find the new version and do not request
// another.
#pragma once

#include <chrono>
#include <mutex>
#include <optional>
#include <random>

#include "tacit/agent/daemon/utc.hpp"

namespace tacit {

/// Safe to call from several threads.
class Refits {
 public:
  explicit Refits(unsigned seed = std::random_device{}()) : random_(seed) {}

  /// Sets the interval; nullopt means never.
  void set(std::optional<std::chrono::seconds> every);
  bool on() const;

  /// When to request the next fit; nullopt means never. `fitted` is the time of the current model, if any.
  std::optional<UtcTime> due(std::optional<UtcTime> fitted) const;
  /// Records a request. If it fails, the next one is due later.
  void asked(UtcTime now);

 private:
  mutable std::mutex guard_;
  std::optional<std::chrono::seconds> every_;
  std::minstd_rand random_;
  std::chrono::milliseconds pause_{};  // random, so that agents do not all ask at the same moment
  UtcTime not_before_{};
};

}  // namespace tacit
