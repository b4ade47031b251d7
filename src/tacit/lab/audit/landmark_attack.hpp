// The attack on the one sum over landmarks: what do A and a, opened to everybody, tell about single rows?
//
// The attacker knows landmarks, prior, how many rows every block has, the unit of rounding, and that columns
// are standardised. It looks for the likeliest rows with such sums by nonlinear least squares from several
// starts. That it finds nothing from where it starts proves little; so there is also `left_to_guess`, a bound
// for an attacker that somehow got near the truth. docs/threat-model.md shows both.
#pragma once

#include <cstdint>

#include "tacit/lab/audit/landmark_attack_model.hpp"

namespace tacit {

struct LandmarkAttackSettings {
  double unit = 0x1p-12;  ///< to multiples of which every agent rounds its part
  std::size_t starts = 8;
  std::size_t hops = 40;               ///< to other valleys, from each start
  std::size_t most_evaluations = 400;  ///< for each start
  std::uint64_t seed = 1;
  unsigned threads = 1;
};

struct FittedRows {
  Matrix rows;
  /// Root mean square difference between opened numbers and those of the rows, in standard deviations of
  /// rounding: near 1 where the rows explain all that was opened.
  double misfit = 0;
};

/// The rows that fit best. Deterministic for a seed.
FittedRows fit_rows(const OpenedNumbers& numbers, const Vector& opened,
                    const LandmarkAttackSettings& settings);

/// How near guessed rows are to the true ones. Rows are paired one to one, nearest pairs first.
struct Nearness {
  Vector distances;         ///< by true row: the largest difference in an input or the target
  double median = 0;        ///< of the distances
  double found = 0;         ///< rows with a distance below `found_within`
  double inputs_found = 0;  ///< rows whose inputs are that near, paired by inputs alone
};
Nearness nearness(const Matrix& truth, const Matrix& guess);

/// The control: of rows drawn from N(0, I) without looking at anything, averaged over draws.
Nearness nearness_by_chance(const Matrix& truth, std::size_t draws, std::uint64_t seed);

/// The standard deviation that remains of every number, rows x columns, for an attacker that is near enough
/// to the truth to take the sums as linear, with N(0, 1) beforehand. 1: nothing learnt; 0: known.
Matrix left_to_guess(const OpenedNumbers& numbers, const Matrix& truth, double unit);

/// The same of the targets alone, for an attacker that knows all inputs. There the sums are linear, and no
/// attacker does better on average.
Vector targets_left_to_guess(const OpenedNumbers& numbers, const Matrix& truth, double unit);

/// A row counts as found below this distance, in standard deviations.
inline constexpr double found_within = 0.01;

}  // namespace tacit
