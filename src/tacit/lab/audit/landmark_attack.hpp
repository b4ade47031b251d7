// The attack on the sum over landmarks: what A and a, which all agents see, reveal about single rows.
//
// The attacker knows landmarks, prior, the number of rows of each block, the unit of rounding, and that
// columns are standardised. It searches for the most likely rows with these sums by nonlinear least squares
// from several starts. If it finds nothing from these starts, that proves little. Therefore `left_to_guess`
// gives a bound for an attacker that is already near the truth. docs/threat-model.md shows both.
#pragma once

#include <cstdint>

#include "tacit/lab/audit/landmark_attack_model.hpp"

namespace tacit {

struct LandmarkAttackSettings {
  double unit = 0x1p-12;  ///< each agent rounds its part to multiples of this
  std::size_t starts = 8;
  std::size_t hops = 40;               ///< moves to other local minima, for each start
  std::size_t most_evaluations = 400;  ///< for each start
  std::uint64_t seed = 1;
  unsigned threads = 1;
};

struct FittedRows {
  Matrix rows;
  /// Root mean square difference between the opened numbers and those of the rows, in standard deviations of
  /// rounding. Near 1 if the rows explain all opened numbers.
  double misfit = 0;
};

/// Returns the rows that fit best. Deterministic for a seed.
FittedRows fit_rows(const OpenedNumbers& numbers, const Vector& opened,
                    const LandmarkAttackSettings& settings);

/// The distance of guessed rows from the true ones. Rows are paired one to one, nearest pairs first.
struct Nearness {
  Vector distances;         ///< by true row: the largest difference in an input or the target
  double median = 0;        ///< of the distances
  double found = 0;         ///< the number of rows with a distance below `found_within`
  double inputs_found = 0;  ///< the same for inputs only, which are paired separately
};
Nearness nearness(const Matrix& truth, const Matrix& guess);

/// The control: the distance of rows drawn from N(0, I), averaged over draws.
Nearness nearness_by_chance(const Matrix& truth, std::size_t draws, std::uint64_t seed);

/// The standard deviation that remains of each number, rows x columns, for an attacker near enough to the
/// truth that the sums are linear, with the prior N(0, 1). 1 means nothing learnt, 0 known.
Matrix left_to_guess(const OpenedNumbers& numbers, const Matrix& truth, double unit);

/// The same for the targets, if the attacker knows all inputs. Then the sums are linear, and no attacker is
/// more accurate on average.
Vector targets_left_to_guess(const OpenedNumbers& numbers, const Matrix& truth, double unit);

/// A row counts as found below this distance, in standard deviations.
inline constexpr double found_within = 0.01;

}  // namespace tacit
