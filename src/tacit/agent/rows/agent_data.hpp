// An agent's rows as its charter wants them: columns by name, in their public ranges, categorical ones as
// zeros and ones.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "tacit/charter/charter.hpp"
#include "tacit/table/parties.hpp"
#include "tacit/table/read_data.hpp"
#include "tacit/table/row_blocks.hpp"

namespace tacit {

/// Where rows are.
struct RowSource {
  std::filesystem::path file;  ///< or a database's connection
  std::string sql = {};        ///< which rows of a database, unless the settings for reading say it
  std::vector<std::filesystem::path> more = {};  ///< files whose rows follow
  std::size_t shares = 0;    ///< the query is asked that often, with {share} and {shares}; 0: once
  std::string name() const;  ///< for messages and logs, without secrets
};

/// About cells that the charter does not allow.
struct BadSentence {
  std::string text;     ///< may show a cell
  std::string quietly;  ///< shows none, for logs
};

struct AgentRows {
  Samples rows;                  ///< as the model takes them
  std::vector<BadSentence> bad;  ///< of cells outside the charter's ranges or levels, what would hold them
  std::size_t dropped = 0;       ///< rows left out for a missing cell, where the owner asks for that
  std::vector<std::string> notes = {};  ///< what was passed over in the file
};

/// "120 rows, all within the charter's ranges and levels; 3 more are left out for a missing cell".
std::string in_words(std::size_t rows, std::size_t dropped);

/// As `how` says, and as these columns want it: levels are never missing, dates count from their start.
ReadOptions reading(const std::vector<Column>& columns, ReadOptions how);

/// Reads the charter's columns; others are ignored. Throws InputError, naming file, line and column, for what
/// is missing or not a number, and for more rows than the charter allows. Where several processes read
/// together, each gets its share of the rows, in order.
AgentRows read_rows(const RowSource& source, const Charter& charter, const ReadOptions& how = {},
                    ReadTogether* together = nullptr);

/// Throws InputError for more rows than the charter allows.
void check_row_count(const RowSource& source, std::size_t rows, const Charter& charter);

struct PointOptions {
  std::vector<std::string> ids = {};           ///< columns to keep as they are, which tell rows apart
  bool skip_bad = false;                       ///< rows that cannot be asked about are left out, and counted
  std::string how_to_skip = " by --skip-bad";  ///< how people ask for that, for errors
};

struct IdColumn {
  std::string name;
  std::vector<std::string> cells;  ///< of every row of the file
};

/// Points to predict at.
struct Points {
  Samples rows;                           ///< those that can be asked about; no outputs without targets
  std::vector<std::size_t> rows_of_file;  ///< which row of the file each of them is, from 0
  std::size_t count = 0;                  ///< of all rows of the file
  std::vector<IdColumn> ids;
  std::vector<std::string> notes;  ///< about the file, for people
  std::string why_skipped;         ///< the cells that keep the others from it, by column

  std::size_t skipped() const { return count - rows_of_file.size(); }
};

/// Reads points once, from a file or from standard input (-). Targets may have any value; none are read when
/// none are named. Cells that are missing, no numbers, or outside of ranges and levels make their rows bad:
/// InputError sums them up by column, unless such rows are to be skipped and some are left.
Points read_points(const std::filesystem::path& file, const std::vector<Column>& inputs,
                   std::vector<Column> targets = {}, const PointOptions& options = {}, ReadOptions how = {},
                   const ReadTable& reader = read_data);

}  // namespace tacit
