// Giving the rows of a table to agents and to the test. Rows are named by their number, from 0.
//
// The same arguments give the same split on every machine and with every standard library. The randomness is
// for fairness only: it hides nothing from anybody.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "tacit/gp/matrix.hpp"
#include "tacit/table/cells/text_column.hpp"

namespace tacit {

/// Rows of data, one sample a row: what the model is given and what it is to predict.
struct Samples {
  Matrix inputs;
  Matrix outputs;
};

/// The numbers 0 ... rows - 1 in random order, each order as likely as any other: Fisher and Yates's shuffle
/// from the last place down, with draws of std::mt19937_64 seeded by `seed`, of which those that would bias
/// the choice are dropped.
std::vector<std::size_t> shuffled_rows(std::size_t rows, std::uint64_t seed);

/// The rows cut into one block for each agent, in order. Block sizes differ by at most one, larger blocks
/// first. Throws InputError when there are no agents, or fewer rows than agents.
std::vector<std::vector<std::size_t>> contiguous_blocks(std::span<const std::size_t> rows,
                                                        std::size_t agents);

/// The numbers of the rows in the order in which they lie along the first principal axis of these inputs, all
/// columns counted in their standard deviations. Rows that lie level keep their order. O(rows columns²).
std::vector<std::size_t> along_first_axis(const Matrix& inputs);

/// The rows 0 ... rows - 1 divided at random into {train, test}, both ascending. The test gets ⌈fraction ·
/// rows⌉ rows: the first ones of shuffled_rows(rows, seed). A product that is whole but for rounding counts
/// as whole, so that 0.07 of 100 rows is 7. Throws InputError unless 0 < fraction < 1 and at least one row is
/// left to train on.
std::pair<std::vector<std::size_t>, std::vector<std::size_t>> hold_out(std::size_t rows, double fraction,
                                                                       std::uint64_t seed);

/// Rows that have the same label, with that label.
struct Groups {
  std::vector<std::string> names;
  std::vector<std::vector<std::size_t>> rows;
};

/// The given rows by label, where labels[r] is that of row r; a group keeps its rows in the order given.
/// Labels that are numbers come first, by value, then the others by their bytes. Labels are the same only if
/// all their characters are: "1" and "1.0" are two groups. Throws InputError when a row has no label.
Groups groups_by(const TextColumn& labels, std::span<const std::size_t> rows);

}  // namespace tacit
