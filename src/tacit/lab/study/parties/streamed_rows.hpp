// Gives a crew of experts access to rows whose cells are in a scratch file.
#pragma once

#include <memory>
#include <vector>

#include "tacit/gp/committee/row_reader.hpp"
#include "tacit/table/data_columns.hpp"
#include "tacit/table/rows/samples.hpp"

namespace tacit {

/// Returns a reader for all rows of the tables, one table after the other. Throws InputError for a level that
/// a column does not have.
std::shared_ptr<const RowReader> streamed_rows(const std::vector<Table>& tables,
                                               const std::vector<DataColumn>& inputs,
                                               const std::vector<DataColumn>& outputs);

/// Reads all rows of a source into memory.
Samples samples_of(const RowReader& source);

}  // namespace tacit
