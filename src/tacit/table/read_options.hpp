// What is to be read of a file of data, and how.
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

/// What happens to a row without a cell that is needed: reading ends with an error, drops the row, or keeps
/// it, as it keeps rows with cells that are no numbers: Table knows their bad cells.
enum class Missing { refuse, drop, keep };

/// A column, and words that mean something in it.
struct ColumnWords {
  std::string column;
  std::vector<std::string> words;
};

/// A column of dates: read as days since its start, and parts of it as further columns, such as
/// admitted.weekday.
struct DateColumn {
  std::string column;
  /// 2020-01-31: public, the same for everybody. When empty, days count from 1970-01-01; a simulation then
  /// moves the start to the earliest date that anybody has.
  std::string start = {};
  std::vector<std::string> parts = {};  ///< of year, month, day, weekday, hour
};

/// How a file's dates with slashes are written: 31/12/2024 or 12/31/2024. Nobody can tell from 01/02/2024, so
/// they are refused unless it is said.
enum class SlashDates { refuse, day_first, month_first };

/// Where whoever reads a file says how to read it, so that errors advise only what can be done there.
enum class SettingsIn { options, agent_toml, nowhere };

/// The rows of a CSV file, not packed, that lie between two places in it (csv_parts.hpp).
struct FilePart {
  std::uint64_t begin = 0, end = 0;  ///< bytes; each is where a row begins, or the end of the file
  std::size_t line = 1;              ///< of the row at `begin`
};

/// What must be known about files before they can be read: the same for all files of a consortium, or
/// of an agent.
struct ReadOptions {
  std::optional<char> delimiter = {};  ///< ',', ';' or a tab; the header decides when absent
  bool decimal_comma = false;
  Missing missing = Missing::refuse;
  /// Values that are missing too, such as chol 0; columns that are not in the file are passed over.
  std::vector<ColumnWords> missing_values = {};
  /// Columns read as texts whatever else is asked for, with the levels they may have; no words means whatever
  /// levels there are.
  std::vector<ColumnWords> categorical = {};
  /// The matrices of a MATLAB file to read; none means all.
  std::vector<std::string> variables = {};
  std::vector<DateColumn> dates = {};
  SlashDates slash_dates = SlashDates::refuse;
  /// The query whose rows are read from a database; none means its only table.
  std::string sql = {};
  /// With the password for a database, on one line; none means what TACIT_SQL_PASSWORD holds, or whatever the
  /// database's own library finds.
  std::filesystem::path password_file = {};
  /// Only these rows of the file, of which there may be none.
  std::optional<FilePart> part = {};
  SettingsIn settings = SettingsIn::options;
  /// A charter says which columns there are, which are categories and which are dates, so errors do not
  /// advise to declare them otherwise or to leave them out.
  bool by_charter = false;
};

/// The columns to read of one file. A missing cell matters only in these.
struct TableOptions {
  /// Columns to keep as text, such as the one that says whose a row is.
  std::vector<std::string> text_columns = {};
  /// Columns to read as numbers; others may then hold anything. None means all that are not text. A column
  /// that is named here and above can be read both ways.
  std::vector<std::string> only = {};
  /// Columns to read as numbers if they are there; for use with `only`.
  std::vector<std::string> optional = {};
  /// Columns to keep as text whatever is in them, blank cells too: what rows are called.
  std::vector<std::string> ids = {};
  /// Columns that must be there, whether they are read or not; checked before any row is read.
  std::vector<std::string> required = {};
  /// Columns that can neither be left out nor be categories, such as targets: errors do not advise that.
  std::vector<std::string> fixed = {};
  /// The option that names the columns to use, such as --inputs, if there is one: errors advise it.
  std::string chosen_by = {};
  /// Where numbers and categories go, row by row, instead of into memory; texts and ids stay.
  std::shared_ptr<ScratchFile> scratch = {};
  /// Told how many rows there are so far, and how many to expect.
  Progress* progress = nullptr;
};

}  // namespace tacit
