// All that a run is about, as one digest. It starts from what everybody has signed before the run (charter,
// request, who takes part), and everything that the agents come to hold alike is folded in. Masks,
// signatures and totals are bound to it, so that two agents that were told different things cannot both
// finish.
#pragma once

#include <span>
#include <string_view>

#include "tacit/secrecy/signature.hpp"

namespace tacit {

class Transcript {
 public:
  explicit Transcript(const Digest& start = {}) : start_(start), now_(start) {}

  /// Names the run.
  const Digest& start() const { return start_; }
  /// And all that has happened in it so far.
  const Digest& now() const { return now_; }

  /// Adds something that all agents of the run must hold alike. `what` says what it is.
  void fold(std::string_view what, std::span<const std::byte> bytes) {
    now_ = digest_of({now_, std::as_bytes(std::span(what)), bytes});
  }

 private:
  Digest start_, now_;
};

}  // namespace tacit
