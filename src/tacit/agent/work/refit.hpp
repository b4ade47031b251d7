// When an agent asks for a fit by itself: `[refit] every` in agent.toml, if the charter allows it. Every
// agent of a consortium may be set to that. They come due together, as the model is of one age everywhere,
// and settle on one fit: whoever's turn comes later finds the new version there, and leaves it at that.
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

  /// As agent.toml and charter have it now; none is never.
  void set(std::optional<std::chrono::seconds> every);
  bool on() const;

  /// When the next fit is to be asked for, given when the model was fitted, if there is one; none is never.
  std::optional<UtcTime> due(std::optional<UtcTime> fitted) const;
  /// One was asked for: the next, if it comes to nothing, is for later.
  void asked(UtcTime now);

 private:
  mutable std::mutex guard_;
  std::optional<std::chrono::seconds> every_;
  std::minstd_rand random_;
  std::chrono::milliseconds pause_{};  // random, so that not all ask in the same moment
  UtcTime not_before_{};
};

}  // namespace tacit
