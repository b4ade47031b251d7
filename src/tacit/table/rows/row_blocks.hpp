// Splits the rows of a table among agents and the test. Rows are numbered from 0.
//
// The same arguments give the same split on every machine and with every standard library. The randomness
// makes the split fair; it is not secret.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace tacit {

/// Returns the numbers 0 ... rows - 1 in random order; all orders are equally likely. Uses the shuffle of
/// Fisher and Yates from the last place down, with draws of std::mt19937_64 seeded by `seed`. Draws that
/// would bias the choice are dropped.
std::vector<std::size_t> shuffled_rows(std::size_t rows, std::uint64_t seed);

/// Divides the rows into one block for each agent, in order. Block sizes differ by at most one, with larger
/// blocks first. Throws InputError if there are no agents, or fewer rows than agents.
std::vector<std::vector<std::size_t>> contiguous_blocks(std::span<const std::size_t> rows,
                                                        std::size_t agents);

}  // namespace tacit
