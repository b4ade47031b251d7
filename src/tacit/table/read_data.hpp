// Reads data from wherever they are: CSV, plain or packed by gzip, MATLAB and SQLite files, told apart by
// content, and databases.
#pragma once

#include <filesystem>
#include <functional>
#include <string>

#include "tacit/table/read_options.hpp"
#include "tacit/table/table.hpp"

namespace tacit {

/// `source` is a file or the connection of a database (see sql.hpp). Throws InputError as the reader of the
/// format does; see csv.hpp, mat.hpp and sql.hpp.
Table read_data(const std::filesystem::path& source, const TableOptions& columns = {},
                const ReadOptions& how = {});

/// Something that reads tables as read_data does, perhaps from elsewhere.
using ReadTable = std::function<Table(const std::filesystem::path&, const TableOptions&, const ReadOptions&)>;

/// What messages and logs call a source: its path, or its connection without anything that may be secret.
std::string source_name(const std::filesystem::path& source);

}  // namespace tacit
