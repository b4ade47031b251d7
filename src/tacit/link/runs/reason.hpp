// Why an agent does not take part in a run, or no longer does. Peers get a code and a number, never an
// agent's own words: those could hold what its data say. Each agent puts the code into words itself.
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
  seen_before = 3,     ///< this run or a later one of the same originator
  stopping = 4,        ///< the agent is about to stop
  undecided = 5,       ///< the agent could not decide; its log says why
  must_wait = 6,       ///< the originator announced runs and did not go through with them; detail: seconds
  may_not_ask = 7,     ///< the owner's policy: not this asker, not this kind of request
  limit_reached = 8,   ///< the owner's policy: today's limit; detail: what is left
  too_few = 9,         ///< the owner's policy or the charter: the roster is too small; detail: the fewest
  not_without = 10,    ///< the owner's policy: not without the members left out
  other_roster = 11,   ///< the request needs exactly the model's roster
  no_model = 12,       ///< no such model here, and the request does not bring it with all signatures
  newer_model = 13,    ///< the agent holds a newer model; detail: its version
  version_taken = 14,  ///< a model of this version was signed already; detail: the highest version
  rows_changed = 15,   ///< the agent's rows changed since the fit; it takes part in nothing but a new fit
  outside_agreement = 16,  ///< points outside of the charter's ranges or levels, or more than allowed
  wrong_time = 17,         ///< the request's time is not a time, or lies in the future
  opened_enough = 18,      ///< fits on its rows have opened what the owner allows; detail: how many numbers
  // In a run: why an agent left it.
  own_input = 32,           ///< its own data or numbers do not fit what was agreed; its log says why
  failed = 33,              ///< something else went wrong there; its log says why
  misbehaved = 34,          ///< an agent said what no honest agent says; detail: which
  lost_agent = 35,          ///< it lost an agent that it needs; detail: which
  no_part = 36,             ///< it takes no part in the run
  overflowed = 37,          ///< the receiver of this sent it more than was asked for
  too_many_landmarks = 38,  ///< for the rows of all agents together; detail: the most there may be
  withdrawn = 39,           ///< it has asked for the run, and its people have changed their minds
};

struct Reason {
  ReasonCode code = ReasonCode::failed;
  std::uint64_t detail = 0;
};

/// "its owner's policy does not allow ...": goes after the agent's name and a colon. `detail` of an agent is
/// given by its id.
std::string in_words(const Reason& reason);

/// Thrown by a program that leaves a run for a reason that peers may know.
class Leaves : public InputError {
 public:
  Leaves(Reason reason, const std::string& words) : InputError(words), reason_(reason) {}
  const Reason& reason() const { return reason_; }

 private:
  Reason reason_;
};

}  // namespace tacit
