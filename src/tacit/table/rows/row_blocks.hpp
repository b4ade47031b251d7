// Giving the rows of a table to agents and to the test. Rows are named by their number, from 0.
//
// The same arguments give the same split on every machine and with every standard library. The randomness is
// for fairness only: it hides nothing from anybody.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace tacit {

/// The numbers 0 ... rows - 1 in random order, each order as likely as any other: Fisher and Yates's shuffle
/// from the last place down, with draws of std::mt19937_64 seeded by `seed`, of which those that would bias
/// the choice are dropped.
std::vector<std::size_t> shuffled_rows(std::size_t rows, std::uint64_t seed);

/// The rows cut into one block for each agent, in order. Block sizes differ by at most one, larger blocks
/// first. Throws InputError when there are no agents, or fewer rows than agents.
std::vector<std::vector<std::size_t>> contiguous_blocks(std::span<const std::size_t> rows,
                                                        std::size_t agents);

}  // namespace tacit
