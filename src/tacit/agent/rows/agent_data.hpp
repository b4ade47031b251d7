// Reads an agent's rows in the form that its charter requires: columns selected by name, values within the
// public ranges, categorical columns as zeros and ones.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "tacit/charter/charter.hpp"
#include "tacit/table/data_columns.hpp"
#include "tacit/table/read_data.hpp"
#include "tacit/table/rows/reader_group.hpp"
#include "tacit/table/rows/samples.hpp"

namespace tacit {

/// The location of rows.
struct RowSource {
  std::filesystem::path file;                    ///< or the connection of a database
  std::string sql = {};                          ///< the query of a database; empty if ReadOptions has it
  std::vector<std::filesystem::path> more = {};  ///< further files; their rows follow
  std::size_t shares = 0;    ///< number of runs of the query, with {share} and {shares}; 0: one run
  std::string name() const;  ///< for messages and logs; contains no secrets
};

/// A sentence about cells that the charter does not allow.
struct BadSentence {
  std::string text;     ///< may show cells
  std::string quietly;  ///< shows no cells; for logs
};

struct AgentRows {
  Samples rows;                         ///< in the model's columns
  std::vector<BadSentence> bad;         ///< about cells outside the charter's ranges or levels
  std::size_t dropped = 0;              ///< rows skipped because of a missing cell, if the owner allows this
  std::vector<std::string> notes = {};  ///< parts of the file that were ignored
};

/// "120 rows, all within the charter's ranges and levels; 3 more were skipped because of a missing cell".
std::string in_words(std::size_t rows, std::size_t dropped);

/// Completes `how` for these columns: a level is never a missing value; dates count from their start.
ReadOptions reading(const std::vector<Column>& columns, ReadOptions how);

/// Reads the charter's columns and ignores others. Throws InputError with file, line and column if a cell is
/// missing or not a number, and InputError for more rows than the charter allows. If several processes read
/// together, each receives its share of the rows, in order.
AgentRows read_rows(const RowSource& source, const Charter& charter, const ReadOptions& how = {},
                    ReaderGroup* together = nullptr);

/// Throws InputError for more rows than the charter allows.
void check_row_count(const RowSource& source, std::size_t rows, const Charter& charter);

struct PointOptions {
  std::vector<std::string> ids = {};           ///< columns that identify rows; copied unchanged
  bool skip_bad = false;                       ///< skip and count rows that cannot be predicted
  std::string how_to_skip = " by `skip_bad`";  ///< how a user requests this; for errors
};

struct IdColumn {
  std::string name;
  std::vector<std::string> cells;  ///< one for every row of the file
};

/// The points of a prediction.
struct Points {
  Samples rows;                           ///< the valid rows; without targets there are no outputs
  std::vector<std::size_t> rows_of_file;  ///< the index of each valid row in the file, from 0
  std::size_t count = 0;                  ///< rows of the file
  std::vector<IdColumn> ids;
  std::vector<std::string> notes;  ///< about the file, for the user
  std::string why_skipped;         ///< the bad cells of the other rows, by column

  std::size_t skipped() const { return count - rows_of_file.size(); }
};

/// Reads points once, from a file or from standard input (-). Targets may have any value; without target
/// columns, none are read. A cell that is missing, not a number, or outside ranges and levels makes its row
/// bad. Bad rows throw InputError, which summarises the cells by column, unless options.skip_bad is set and
/// at least one valid row is left.
Points read_points(const std::filesystem::path& file, const std::vector<Column>& inputs,
                   std::vector<Column> targets = {}, const PointOptions& options = {}, ReadOptions how = {},
                   const ReadTable& reader = read_data);

}  // namespace tacit
