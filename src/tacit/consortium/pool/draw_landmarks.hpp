// The number and positions of public landmarks. They are drawn from a Gaussian with the mean and the
// covariance of all agents' inputs, which needs one secure sum. The seed is agreed on, so all agents draw the
// same landmarks.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "tacit/consortium/standardise/standardise.hpp"

namespace tacit {

inline constexpr std::size_t most_landmarks = 1000;

/// Returns how many numbers the sum over landmarks opens: the lower triangle of A for every prior, and a for
/// every output.
std::uint64_t landmark_numbers(std::size_t landmarks, std::size_t outputs = 1, std::size_t priors = 1);

/// Returns how many numbers the rows of all agents contain.
std::uint64_t held_numbers(std::size_t rows, std::size_t inputs, std::size_t outputs = 1);

/// Returns the largest number of landmarks, up to most_landmarks, that open at most a quarter of the numbers
/// in the rows: m(m+3)/2 ≤ n(d+1)/4 for one output. Inputs are columns; a categorical column counts once.
std::size_t landmark_ceiling(std::size_t rows, std::size_t inputs, std::size_t outputs = 1,
                             std::size_t priors = 1);

/// The moments of all agents' inputs as the model uses them, relative to the middle of each column's range
/// and in units of half its width.
struct InputMoments {
  std::size_t rows = 0;  ///< n, exact
  Vector mean;
  Matrix covariance;
};

/// Returns the shape of the one sum. If columns were standardised, n, means and deviations are known, and
/// only the off-diagonal part of Σuu' is summed; so a member with false values can neither move the landmarks
/// nor crowd them. Otherwise the sum contains n, Σu and all of Σuu'.
SumShape moments_sum(const ColumnFacts& facts, bool standardised);

/// One agent's side. Throws InputError if a value is outside its column's range. References must outlive the
/// task.
Task<InputMoments> moments_privately(Run& net, const SecureSum& secure_sum, const ColumnFacts& facts,
                                     const Crew& mine, const std::optional<Standardisation>& standardisation);

/// Draws landmarks in the data's units: numbers from the Gaussian, clamped to the columns' ranges, and one
/// level of each categorical column with the probability of its share. `levels` is the number of levels of
/// each column, 0 for numbers. A larger count begins with the same landmarks. Returns fewer than `count` if
/// there are not enough distinct points.
Matrix draw_landmarks(const InputMoments& moments, const ColumnFacts& facts,
                      const std::vector<std::size_t>& levels, std::size_t count, std::uint64_t seed);

}  // namespace tacit
