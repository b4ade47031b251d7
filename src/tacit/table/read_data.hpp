// Reads data from CSV files (plain or gzip), MATLAB and SQLite files, and databases. The content of a file
// decides its format.
#pragma once

#include <filesystem>
#include <functional>
#include <string>

#include "tacit/table/read_options.hpp"
#include "tacit/table/table.hpp"

namespace tacit {

/// `source` is a file or the connection of a database (sql.hpp). Throws InputError as the reader of the
/// format does; see csv.hpp, mat.hpp and sql.hpp.
Table read_data(const std::filesystem::path& source, const TableOptions& columns = {},
                const ReadOptions& how = {});

/// A function that reads tables as read_data does, possibly from elsewhere.
using ReadTable = std::function<Table(const std::filesystem::path&, const TableOptions&, const ReadOptions&)>;

/// Returns the name of a source for messages and logs: its path, or its connection without secrets.
std::string source_name(const std::filesystem::path& source);

}  // namespace tacit
