// Ways to divide the rows of a table between agents and test. Rows are numbered from 0.
//
// The same arguments give the same result on all machines and with all standard libraries. The randomness
// serves only fairness: it does not hide anything.
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

/// The numbers of the rows in their order along the first principal axis of these inputs, with columns in
/// units of their standard deviations. Ties keep their order. Takes O(rows columns²).
std::vector<std::size_t> along_first_axis(const Matrix& inputs);

/// Divides the rows 0 ... rows - 1 at random into {train, test}, both ascending. The test gets ⌈fraction ·
/// rows⌉ rows: the first ones of shuffled_rows(rows, seed). A product that is an integer except for rounding
/// counts as this integer, so 0.07 of 100 rows is 7. Throws InputError unless 0 < fraction < 1 and at least
/// one training row is left.
std::pair<std::vector<std::size_t>, std::vector<std::size_t>> hold_out(std::size_t rows, double fraction,
                                                                       std::uint64_t seed);

/// Rows grouped by label, with the labels.
struct Groups {
  std::vector<std::string> names;
  std::vector<std::vector<std::size_t>> rows;
};

/// Groups the given rows by label, where labels[r] is that of row r. A group keeps the given order of its
/// rows. Numeric labels come first, by value, and then the others by their bytes. Labels are equal only if
/// all their characters are: "1" and "1.0" are two groups. Throws InputError if a row has no label.
Groups groups_by(const TextColumn& labels, std::span<const std::size_t> rows);

}  // namespace tacit
