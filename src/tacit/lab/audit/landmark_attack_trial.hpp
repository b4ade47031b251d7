// Runs the landmark attack on made-up rows of a given shape, to show what it would find in such a pool.
#pragma once

#include "tacit/lab/audit/landmark_attack.hpp"

namespace tacit {

struct PoolShape {
  std::size_t rows = 0, inputs = 1, landmarks = 1;
  std::size_t agents = 1;  ///< share the rows evenly, each with one expert
};

struct MadeUpPool {
  OpenedNumbers numbers;
  Matrix rows;
};

/// Draws rows and landmarks from N(0, I) and targets from the prior. The prior has an se kernel and a noise
/// of 0.2. Its length-scale is the floor that `tacit charter new` proposes: half the square root of the
/// number of inputs. `tails` divides rows by the root of a χ² of three degrees of freedom, which makes some
/// of them extreme. Throws InputError for more agents than rows.
MadeUpPool made_up_pool(const PoolShape& shape, std::uint64_t seed, bool tails = false);

struct LandmarkTrial {
  double misfit = 0;  ///< of the fitted rows
  Nearness fitted, chance;
  Vector left;            ///< by row, the largest left_to_guess() of its numbers
  double least_left = 1;  ///< the smallest left_to_guess() of all numbers

  /// The number of rows of which less than `found_within` is left, and how many of these the attack found.
  double within_reach() const;
  double reached() const;
};

LandmarkTrial try_landmark_attack(const MadeUpPool& pool, const LandmarkAttackSettings& settings);

}  // namespace tacit
