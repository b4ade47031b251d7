// Public landmarks: how many there may be, and where. They are drawn from a Gaussian with the mean and the
// covariance of all agents' inputs, which takes one secure sum, by a seed that was agreed on; everybody draws
// the same.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "tacit/consortium/standardise/standardise.hpp"

namespace tacit {

inline constexpr std::size_t most_landmarks = 1000;

/// Numbers that the sum over landmarks opens: for every prior the lower triangle of A, for every output a.
std::uint64_t landmark_numbers(std::size_t landmarks, std::size_t outputs = 1, std::size_t priors = 1);

/// Numbers that the rows of all agents hold.
std::uint64_t held_numbers(std::size_t rows, std::size_t inputs, std::size_t outputs = 1);

/// The most landmarks, up to most_landmarks, that open no more than a quarter of what the rows hold:
/// m(m+3)/2 ≤ n(d+1)/4 for one output. Inputs are columns; a categorical one counts once.
std::size_t landmark_ceiling(std::size_t rows, std::size_t inputs, std::size_t outputs = 1,
                             std::size_t priors = 1);

/// Of all agents' inputs, as the model takes them, in halves of each column's range from its middle.
struct InputMoments {
  std::size_t rows = 0;  ///< n, exact
  Vector mean;
  Matrix covariance;
};

/// The one sum. Where columns were standardised only Σuu' above the diagonal is left to sum: n, means and
/// deviations are known, and a member that lies can neither move the landmarks nor crowd them. Otherwise n,
/// Σu and all of Σuu'.
SumShape moments_sum(const ColumnFacts& facts, bool standardised);

/// One agent's side. Throws InputError when a value lies outside its column's range. References must outlive
/// the task.
Task<InputMoments> moments_privately(Channel& net, const SecureSum& secure_sum, const ColumnFacts& facts,
                                     const Crew& mine, const std::optional<Standardisation>& standardisation);

/// Draws landmarks, in the data's units: numbers from the Gaussian, kept within the columns' ranges; of a
/// categorical column one level, by its share. `levels` has the number of levels column by column, 0 for
/// numbers. More landmarks begin with the same ones. Fewer than asked for come back when there are no more
/// different points.
Matrix draw_landmarks(const InputMoments& moments, const ColumnFacts& facts,
                      const std::vector<std::size_t>& levels, std::size_t count, std::uint64_t seed);

}  // namespace tacit
