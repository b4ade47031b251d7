// How many landmarks rows allow.
#pragma once

#include <cstddef>

namespace tacit {

/// The sum over landmarks may open this part of the numbers that the rows hold. docs/threat-model.md shows
/// what attacks find below and above it.
inline constexpr double most_opened = 0.25;

/// Nobody needs more, whatever the rows allow.
inline constexpr std::size_t most_landmarks = 1000;

/// The largest m with m(m+3)/2 ≤ rows (inputs + 1) / 4, at most `most_landmarks`.
std::size_t landmark_ceiling(std::size_t rows, std::size_t inputs);

}  // namespace tacit
