// An agent's rows as its charter wants them: columns by name, in their public ranges, categorical ones as
// zeros and ones.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "tacit/data/bad_cells.hpp"
#include "tacit/data/read_options.hpp"
#include "tacit/data/split.hpp"
#include "tacit/identity/charter.hpp"

namespace tacit {

/// Where rows are.
struct RowSource {
  std::filesystem::path file;  ///< or a database's connection
  std::string sql = {};        ///< which rows of a database, unless the settings for reading say it
  std::string name() const;    ///< for messages and logs, without secrets
};

struct AgentRows {
  Samples rows;             ///< as the model takes them
  BadCells bad;             ///< cells outside the charter's ranges or levels, with what would hold them
  std::size_t dropped = 0;  ///< rows left out for a missing cell, where the owner asks for that
  std::vector<std::string> notes = {};  ///< what was passed over in the file

  /// "120 rows, all within the charter's ranges and levels; 3 more are left out for a missing cell".
  std::string in_words() const;
};

/// As `how` says, and as these columns want it: levels are never missing, dates count from their start.
ReadOptions reading(const std::vector<Column>& columns, ReadOptions how);

/// Reads the charter's columns; others are ignored. Throws InputError, naming file, line and column, for what
/// is missing or not a number, and for more rows than the charter allows.
AgentRows read_rows(const RowSource& source, const Charter& charter, const ReadOptions& how = {});

/// Points to predict at. Throws InputError for one that is outside of the charter's ranges or levels, too.
/// Targets are read where the file has all of them, whatever their values; else outputs are empty.
Samples read_points(const std::filesystem::path& file, const std::vector<Column>& inputs,
                    const std::vector<Column>& targets, const ReadOptions& how = {});
inline Samples read_points(const std::filesystem::path& file, const Charter& charter,
                           const ReadOptions& how = {}) {
  return read_points(file, charter.inputs, charter.targets, how);
}

}  // namespace tacit
