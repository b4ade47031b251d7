// Reads any file of data: CSV, plain or packed by gzip, and MATLAB files, told apart by content.
#pragma once

#include <filesystem>

#include "tacit/data/read_options.hpp"
#include "tacit/data/table.hpp"

namespace tacit {

/// Throws InputError as the reader of the format does; see csv.hpp and mat.hpp.
Table read_data(const std::filesystem::path& file, const TableOptions& columns = {},
                const ReadOptions& how = {});

}  // namespace tacit
