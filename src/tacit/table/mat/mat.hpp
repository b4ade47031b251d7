// Reads matrices from MATLAB files, through matio.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>

#include "tacit/gp/matrix.hpp"
#include "tacit/table/read_options.hpp"
#include "tacit/table/table.hpp"

namespace tacit {

/// Reads the only matrix of real numbers in a .mat file, or the matrix called `variable`. Ignores variables
/// of other types. Throws InputError with the file's name if the file cannot be read or contains no or
/// several such matrices, and with row and column (from 1) if an entry is not finite.
Matrix read_mat(const std::filesystem::path& file, const std::string& variable = "");

/// Returns whether a file that begins with these bytes is a MATLAB file. Format 5 and later have a signature;
/// a file of format 4 is recognised by its name and because it is not text.
bool is_mat(std::string_view first_bytes, const std::filesystem::path& file);

/// Reads the matrices of real numbers in a .mat file, or those that the options name, side by side as one
/// table. A matrix X of three columns gives the columns X1, X2 and X3; a matrix of one column keeps its name.
/// All must have equally many rows. NaN is a missing value. Throws InputError as reading CSV does.
Table read_mat_table(const std::filesystem::path& file, const TableOptions& columns, const ReadOptions& how);

}  // namespace tacit
