// How many numbers the sums of a charter open. Uses its terms alone: knows no rows.
#pragma once

#include <cstddef>
#include <cstdint>

#include "tacit/consortium/terms/terms.hpp"

namespace tacit {

struct Opened {
  std::size_t standardising = 0, a_trial = 0, trials = 0, a_point = 0, a_score = 0;
  std::size_t moments = 0;    ///< which determine the positions of landmarks
  std::size_t landmarks = 0;  ///< at most
  std::uint64_t pooled = 0;   ///< by the sum over the landmarks
  std::size_t largest = 0;    ///< by the largest sum: usually a prediction of as many points as allowed
  std::uint64_t fit() const { return standardising + moments + a_trial * trials + pooled; }
};

/// Throws InputError for an unusable model.
Opened opened_by(const Terms& terms);

}  // namespace tacit
