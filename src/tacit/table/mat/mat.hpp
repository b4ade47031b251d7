// Matrices from MATLAB files, read through matio.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>

#include "tacit/gp/matrix.hpp"
#include "tacit/table/read_options.hpp"
#include "tacit/table/table.hpp"

namespace tacit {

/// The one matrix of real numbers that a .mat file holds (its other variables are passed over), or the one
/// called `variable`. Throws InputError, naming the file, when it cannot be read, holds none or several, or
/// has an entry that is not finite, then with row and column from 1.
Matrix read_mat(const std::filesystem::path& file, const std::string& variable = "");

/// Whether a file that begins with these bytes is a MATLAB file: the fifth format and those after it have a
/// mark, a file of the fourth is known by its name and by not being text.
bool is_mat(std::string_view first_bytes, const std::filesystem::path& file);

/// The matrices of real numbers of a .mat file, or those that the options name, side by side as one table. A
/// matrix X of three columns gives the columns X1, X2 and X3, one of a single column has its own name; all
/// must have as many rows. NaN is a missing value. Throws InputError as reading CSV does.
Table read_mat_table(const std::filesystem::path& file, const TableOptions& columns, const ReadOptions& how);

}  // namespace tacit
