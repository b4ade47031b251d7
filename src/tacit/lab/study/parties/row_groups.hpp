// Ways of dividing the rows of a table between agents and test. Rows are named by their number, from 0.
//
// The same arguments give the same result on every machine and with every standard library. The randomness is
// for fairness only: it hides nothing.
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
