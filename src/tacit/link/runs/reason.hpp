// Why an agent refuses a run, or leaves one. Peers receive a code and a number, never an agent's own error
// text, which could contain its data. Each agent translates the code into a sentence itself.
#pragma once

#include <cstdint>
#include <string>

#include "tacit/base/error.hpp"

namespace tacit {

/// The numbers are part of the wire version.
enum class ReasonCode : std::uint32_t {
  // Before a run: refusals.
  malformed = 1,       ///< the request cannot be read
  not_signed = 2,      ///< not signed by the agent that it names
  seen_before = 3,     ///< the agent has seen this run or a later one of the same originator
  stopping = 4,        ///< the agent is about to stop
  undecided = 5,       ///< the agent could not decide; its log has the reason
  must_wait = 6,       ///< the originator did not complete runs that it announced; detail: seconds to wait
  may_not_ask = 7,     ///< the owner's policy excludes this asker or this kind of request
  limit_reached = 8,   ///< the owner's policy: today's limit; detail: what is left
  too_few = 9,         ///< the owner's policy or the charter: the roster is too small; detail: the least size
  not_without = 10,    ///< the owner's policy does not allow excluding these members
  other_roster = 11,   ///< the request needs exactly the model's roster
  no_model = 12,       ///< the agent lacks the model, and the request does not include it with all signatures
  newer_model = 13,    ///< the agent holds a newer model; detail: its version
  version_taken = 14,  ///< a model of this version was already signed; detail: the highest version
  rows_changed = 15,   ///< the agent's rows changed since the fit, so it takes part only in a new fit
  outside_agreement = 16,  ///< points outside the charter's ranges or levels, or more points than allowed
  wrong_time = 17,         ///< the request's time is malformed, or the clocks differ by `detail` seconds
  opened_enough = 18,  ///< fits on its rows have opened as much as the owner allows; detail: numbers opened
  // In a run: why an agent left it.
  own_input = 32,           ///< its own data or numbers do not fit the agreement; its log has the details
  failed = 33,              ///< another error occurred there; its log has the details
  misbehaved = 34,          ///< an agent violated the protocol; detail: which agent
  lost_agent = 35,          ///< it lost an agent that it needs; detail: which agent
  no_part = 36,             ///< it does not take part in the run
  overflowed = 37,          ///< the receiver of this code sent it more than it had asked for
  too_many_landmarks = 38,  ///< for the rows of all agents together; detail: the most that are allowed
  withdrawn = 39,           ///< it is the asker, and its user withdrew the request
};

struct Reason {
  ReasonCode code = ReasonCode::failed;
  std::uint64_t detail = 0;
};

/// "its owner's policy does not allow ...": a clause to follow the agent's name and a colon. An agent in
/// `detail` appears as its id.
std::string in_words(const Reason& reason);

/// Thrown by a program that leaves a run for a reason that peers may learn.
class Leaves : public InputError {
 public:
  Leaves(Reason reason, const std::string& words) : InputError(words), reason_(reason) {}
  const Reason& reason() const { return reason_; }

 private:
  Reason reason_;
};

}  // namespace tacit
