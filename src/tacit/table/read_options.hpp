// Which parts of a data file to read, and how.
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace tacit {

struct Progress;
class ScratchFile;

/// What to do with a row in which a needed cell is missing. refuse: reading fails. drop: the row is left out.
/// keep: the row is kept, and so are rows with other bad cells; Table lists the bad cells.
enum class Missing { refuse, drop, keep };

/// A column, and words with a meaning in it, such as levels or codes for missing values.
struct ColumnWords {
  std::string column;
  std::vector<std::string> words;
};

/// A column of dates, read as days since a start date. Parts of the date become further columns, such as
/// admitted.weekday.
struct DateColumn {
  std::string column;
  /// Such as 2020-01-31; public and the same for all agents. If empty, days count from 1970-01-01; a
  /// simulation then moves the start to the earliest date in the data.
  std::string start = {};
  std::vector<std::string> parts = {};  ///< of year, month, day, weekday, hour
};

/// The order of day and month in dates with slashes: 31/12/2024 or 12/31/2024. A date such as 01/02/2024 is
/// ambiguous, so dates with slashes are refused unless the order is set.
enum class SlashDates { refuse, day_first, month_first };

/// Where the user sets how a file is read. Errors suggest only settings that exist there.
enum class SettingsIn { options, agent_toml, nowhere };

/// The rows between two places of an uncompressed CSV file (csv_parts.hpp).
struct FilePart {
  std::uint64_t begin = 0, end = 0;  ///< in bytes; each is the start of a row or the end of the file
  std::size_t line = 1;              ///< of the row at `begin`
};

/// How to read files. The same options apply to all files of a simulated consortium, or of one agent.
struct ReadOptions {
  std::optional<char> delimiter = {};  ///< ',', ';' or a tab; if absent, the header decides
  bool decimal_comma = false;
  Missing missing = Missing::refuse;
  /// Further values that mean "missing", such as 0 in column chol. Columns that the file does not have are
  /// ignored.
  std::vector<ColumnWords> missing_values = {};
  /// Columns that are always read as texts, with their levels. No words means any level.
  std::vector<ColumnWords> categorical = {};
  /// The matrices to read from a MATLAB file; empty means all.
  std::vector<std::string> variables = {};
  std::vector<DateColumn> dates = {};
  SlashDates slash_dates = SlashDates::refuse;
  /// The query whose rows are read from a database; empty means its only table.
  std::string sql = {};
  /// A file with the database password on one line. If empty, the password is that in TACIT_SQL_PASSWORD, or
  /// one that the database's library finds.
  std::filesystem::path password_file = {};
  /// Only these rows of the file are read. There may be none.
  std::optional<FilePart> part = {};
  SettingsIn settings = SettingsIn::options;
  /// The charter decides which columns exist, which are categorical and which are dates, so errors do not
  /// suggest changing this or leaving a column out.
  bool by_charter = false;
};

/// The columns to read from one file. Missing cells matter only in these.
struct TableOptions {
  /// Columns to keep as text, such as the column with the owner of each row.
  std::vector<std::string> text_columns = {};
  /// Columns to read as numbers; other columns may then contain anything. Empty means all columns that are
  /// not text. A column that is named here and above is available as both.
  std::vector<std::string> only = {};
  /// Columns to read as numbers if they exist; used with `only`.
  std::vector<std::string> optional = {};
  /// Columns with the names of rows, kept as text. Their cells may contain anything and may be blank.
  std::vector<std::string> ids = {};
  /// Columns that must exist, whether they are read or not; checked before any row is read.
  std::vector<std::string> required = {};
  /// Columns that can neither be left out nor be categorical, such as targets; errors do not suggest it.
  std::vector<std::string> fixed = {};
  /// The setting that selects the columns, such as `inputs`, for suggestions in errors; may be empty.
  std::string chosen_by = {};
  /// Where numbers and categories are stored row by row, instead of in memory. Texts and ids stay in memory.
  std::shared_ptr<ScratchFile> scratch = {};
  /// Receives the number of rows read so far, and how many to expect.
  Progress* progress = nullptr;
};

}  // namespace tacit
