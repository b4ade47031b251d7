// An agent's rows as its charter wants them: columns by name, in their public ranges, categorical ones as
// zeros and ones.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "tacit/data/split.hpp"
#include "tacit/identity/charter.hpp"

namespace tacit {

struct AgentRows {
  Samples rows;  ///< as the model takes them
  /// The first few cells outside the charter's ranges: file, line, column, value.
  std::vector<std::string> problems;
  std::size_t outside = 0;  ///< how many such cells there are in all
};

/// Reads the charter's columns from a CSV file; others are ignored. Throws InputError, naming file, line
/// and column, for what is missing or not a number, and for more rows than the charter allows.
AgentRows read_rows(const std::filesystem::path& file, const Charter& charter);

/// Points to predict at. Values outside the ranges are allowed here: the model is asked about them, it does
/// not learn from them. Targets are read too where the file has all of them; else outputs are empty.
Samples read_points(const std::filesystem::path& file, const Charter& charter);

}  // namespace tacit
