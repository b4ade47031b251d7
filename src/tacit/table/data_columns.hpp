// The columns that a consortium learns from and predicts, taken from the tables of its files.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "tacit/gp/matrix.hpp"
#include "tacit/table/table.hpp"

namespace tacit {

/// Rows by number, counted through all tables.
using RowNumbers = std::vector<std::size_t>;

/// A column of a file: as it is, or by its levels.
struct DataColumn {
  std::string name;
  std::vector<std::string> levels;  ///< none for a column of numbers

  /// What its numbers are called: its name, or a name for each level.
  std::vector<std::string> names() const;
};

/// A matrix for each part with the columns' numbers in the part's rows. Columns of numbers leave the tables
/// on the way, so that there is never much more than one copy of them.
std::vector<Matrix> take_columns(std::vector<Table>& tables, const std::vector<DataColumn>& columns,
                                 const std::vector<RowNumbers>& parts);

}  // namespace tacit
