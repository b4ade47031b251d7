// Takes the columns that a consortium learns from and predicts out of the tables of its files.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "tacit/gp/matrix.hpp"
#include "tacit/table/table.hpp"

namespace tacit {

/// Row numbers, counted through all tables.
using RowNumbers = std::vector<std::size_t>;

/// A column of a file: numeric, or categorical with levels.
struct DataColumn {
  std::string name;
  std::vector<std::string> levels;  ///< empty for a column of numbers

  /// Returns the names of its columns of numbers: its own name, or one name for each level.
  std::vector<std::string> names() const;
};

/// Returns, for each part, a matrix with the columns' numbers in the rows of the part. Columns of numbers are
/// moved out of the tables, so that memory never holds much more than one copy.
std::vector<Matrix> take_columns(std::vector<Table>& tables, const std::vector<DataColumn>& columns,
                                 const std::vector<RowNumbers>& parts);

}  // namespace tacit
