// Matrices from MATLAB files, read through matio.
#pragma once

#include <filesystem>
#include <string>

#include "tacit/gp/matrix.hpp"

namespace tacit {

/// The one matrix of real numbers that a .mat file holds (its other variables are passed over), or the one
/// called `variable`. Throws InputError, naming the file, when it cannot be read, holds none or several, or
/// has an entry that is not finite, then with row and column from 1.
Matrix read_mat(const std::filesystem::path& file, const std::string& variable = "");

}  // namespace tacit
