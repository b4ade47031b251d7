// Where a fit's landmarks are, by the terms: as many as agreed on, drawn or listed.
#pragma once

#include "tacit/base/error.hpp"
#include "tacit/consortium/fitted.hpp"
#include "tacit/protocol/channel/channel.hpp"
#include "tacit/protocol/channel/task.hpp"

namespace tacit {

/// Searches of their own that outputs have: the priors, and so the sums A, that a fit ends with.
std::size_t most_priors(const Terms& terms);

/// Throws InputError, in one sentence, for landmarks that do not go with the other terms.
void check_landmarks(const Terms& terms);

/// More landmarks were agreed on than the rows of all agents together allow; every agent finds the same.
class TooManyLandmarks : public InputError {
 public:
  TooManyLandmarks(std::size_t most, const std::string& words) : InputError(words), most_(most) {}
  std::size_t most() const { return most_; }

 private:
  std::size_t most_;
};

/// The points, in the units of the model, and n. None where few rows allow none.
struct PlacedLandmarks {
  std::size_t rows = 0;
  Matrix points;
};

/// One agent's side; takes a sum unless everything is known already. Throws TooManyLandmarks for
/// more than rows, or than the ceiling allows without all agents' consent. References must outlive the task.
Task<PlacedLandmarks> place_landmarks(Channel& net, const SecureSum& sums, const Terms& terms,
                                      const Fitted& fitted, const Crew& mine);

}  // namespace tacit
