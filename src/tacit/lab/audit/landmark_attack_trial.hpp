// The attack on made-up rows of a given shape: what would it find in a pool like this one?
#pragma once

#include "tacit/lab/audit/landmark_attack.hpp"

namespace tacit {

struct PoolShape {
  std::size_t rows = 0, inputs = 1, landmarks = 1;
  std::size_t agents = 1;  ///< who share the rows evenly, each with one expert
};

struct MadeUpPool {
  OpenedNumbers numbers;
  Matrix rows;
};

/// Rows and landmarks from N(0, I), targets from the prior: an se kernel with the length-scale that
/// `tacit charter new` proposes as its floor, half the square root of the number of inputs, and a noise of a
/// fifth. `tails` divides rows by the root of a χ² of three degrees, which
/// makes some of them extreme. Throws InputError for more agents than rows.
MadeUpPool made_up_pool(const PoolShape& shape, std::uint64_t seed, bool tails = false);

struct LandmarkTrial {
  double misfit = 0;  ///< of the fitted rows
  Nearness fitted, chance;
  Vector left;            ///< for one who is near the truth, by row: of the number that is left most
  double least_left = 1;  ///< of the number, in any row, that is left least

  /// Rows of which less than `found_within` is left, and how many of these the attack found.
  double within_reach() const;
  double reached() const;
};

LandmarkTrial try_landmark_attack(const MadeUpPool& pool, const LandmarkAttackSettings& settings);

}  // namespace tacit
