// Reads tables from CSV files, through libcsv.
//
// The first line contains the column names; each further line is a row. Cells are separated by commas,
// semicolons or tabs and may be quoted ("" inside quotes is one quote). Lines end with LF, CRLF or CR. Spaces
// around a cell, a leading UTF-8 byte order mark, blank lines and Excel's line sep=; before the header are
// skipped. A first column without a name (row numbers) and blank cells after the last column are left out;
// the table notes both. Any other cell that is not a finite decimal number where one is needed is refused.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>

#include "tacit/table/csv/byte_source.hpp"
#include "tacit/table/read_options.hpp"
#include "tacit/table/table.hpp"

namespace tacit {

/// Throws InputError, with file, line and column where known, if
/// - the file is unreadable, empty, binary or without rows,
/// - the header does not show the delimiter,
/// - a column name is empty or repeated, or a requested column does not exist,
/// - quotes are malformed, or a row has too few or too many cells.
/// Throws BadCellsError, which sums up all faults, if requested cells are missing (unless such rows are
/// dropped) or, in a numeric column, are not finite numbers.
Table read_csv(ByteSource& source, std::string name, const TableOptions& columns, const ReadOptions& how);

/// The same for a part of an uncompressed file, with the columns of the file's header. The part may have no
/// rows.
Table read_csv_part(const std::filesystem::path& file, const FilePart& part, const TableOptions& columns,
                    const ReadOptions& how);

/// The same for a text in memory; messages use `name` for the file.
Table parse_table(std::string name, std::string_view text, const TableOptions& columns = {},
                  const ReadOptions& how = {});

}  // namespace tacit
