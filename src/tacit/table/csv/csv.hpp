// Tables from CSV, through libcsv.
//
// A file starts with a line of column names; each further line is a row. Cells are separated by commas,
// semicolons or tabs and may be quoted ("" inside quotes is one quote); lines end with LF, CRLF or CR. Spaces
// around a cell, a leading UTF-8 byte order mark and blank lines are skipped, and so is Excel's line sep=;
// before the header. A first column without a name that counts the rows is left out, as are blank cells after
// the last column; the table notes it. Anything else that is not a finite decimal number where one is needed
// is refused.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>

#include "tacit/table/csv/byte_source.hpp"
#include "tacit/table/read_options.hpp"
#include "tacit/table/table.hpp"

namespace tacit {

/// Throws InputError, with file, line and column where there is one, when the file is unreadable, empty,
/// binary or without rows; when the header does not show the delimiter; when a column name is empty,
/// repeated, or asked for but not there; when quotes are malformed or a row has too few or too many cells;
/// and when cells that are asked for are missing, unless such rows are dropped, or, in a numeric column, not
/// finite numbers: all of these are summed up in one BadCellsError.
Table read_csv(ByteSource& source, std::string name, const TableOptions& columns, const ReadOptions& how);

/// The same of a part of a file that is not packed; its header says what the columns are. There may be no
/// rows.
Table read_csv_part(const std::filesystem::path& file, const FilePart& part, const TableOptions& columns,
                    const ReadOptions& how);

/// The same from text at hand; `name` stands for the file in messages.
Table parse_table(std::string name, std::string_view text, const TableOptions& columns = {},
                  const ReadOptions& how = {});

}  // namespace tacit
