// Rows of tables whose cells went to a scratch file, as a crew of experts reads them.
#pragma once

#include <memory>
#include <vector>

#include "tacit/gp/committee/row_reader.hpp"
#include "tacit/table/data_columns.hpp"
#include "tacit/table/row_blocks.hpp"

namespace tacit {

/// All rows of the tables, one table after the other. Throws InputError for a level that is not among a
/// column's.
std::shared_ptr<const RowReader> streamed_rows(const std::vector<Table>& tables,
                                               const std::vector<DataColumn>& inputs,
                                               const std::vector<DataColumn>& outputs);

/// All rows of a source, in memory.
Samples samples_of(const RowReader& source);

}  // namespace tacit
