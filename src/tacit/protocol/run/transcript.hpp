// A digest of a run. It starts from what all agents have signed before the run (charter, request, roster).
// All data that the agents then hold in common are folded in. Masks, signatures and totals are bound to it,
// so that two agents that received different messages cannot both finish.
//
// Threads: one thread at a time uses a transcript.
// Errors: none.
// Stopping: no function runs long.
#pragma once

#include <span>
#include <string_view>

#include "tacit/secrecy/signature.hpp"

namespace tacit {

class Transcript {
 public:
  explicit Transcript(const Digest& start = {}) : start_(start), now_(start) {}

  /// Identifies the run.
  const Digest& start() const { return start_; }
  /// Identifies the run and everything that has happened in it so far.
  const Digest& now() const { return now_; }

  /// Adds bytes that all agents of the run must have in common. `what` names them.
  void fold(std::string_view what, std::span<const std::byte> bytes) {
    now_ = digest_of({now_, std::as_bytes(std::span(what)), bytes});
  }

 private:
  Digest start_, now_;
};

}  // namespace tacit
