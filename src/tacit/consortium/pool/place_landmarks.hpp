// Places the landmarks of a fit according to the terms: as many as agreed on, drawn or listed.
#pragma once

#include "tacit/base/error.hpp"
#include "tacit/consortium/fitted.hpp"
#include "tacit/protocol/channel/task.hpp"
#include "tacit/protocol/run/run.hpp"

namespace tacit {

/// Returns the number of separate searches for outputs, which bounds the number of distinct priors, and so of
/// sums A, in a fit.
std::size_t most_priors(const Terms& terms);

/// Throws InputError, with a message of one sentence, if the landmarks are not compatible with the other
/// terms.
void check_landmarks(const Terms& terms);

/// More landmarks were agreed on than the rows of all agents together allow. All agents throw the same.
class TooManyLandmarks : public InputError {
 public:
  TooManyLandmarks(std::size_t most, const std::string& words) : InputError(words), most_(most) {}
  std::size_t most() const { return most_; }

 private:
  std::size_t most_;
};

/// The points in the units of the model, and n. There are no points if there are too few rows.
struct PlacedLandmarks {
  std::size_t rows = 0;
  Matrix points;
};

/// One agent's side. Needs a sum unless everything is already known. Throws TooManyLandmarks for more
/// landmarks than rows, and for more than the ceiling without all agents' consent. References must outlive
/// the task.
Task<PlacedLandmarks> place_landmarks(Run& net, const SecureSum& sums, const Terms& terms,
                                      const Fitted& fitted, const Crew& mine);

}  // namespace tacit
