#include "tacit/cli/options/data_options.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "tacit/answers/numbers.hpp"
#include "tacit/cli/options/values.hpp"
#include "tacit/table/cells/cell.hpp"
#include "tacit/table/cells/dates.hpp"

namespace tacit::cli {
void DataOptions::add_to(CLI::App& command, ColumnsFrom columns, bool may_drop) {
  command_ = &command;
  columns_ = columns;
  const auto add = [&](const char* name, auto& value, const std::string& help) {
    return command.add_option(name, value, help)->group("Data");
  };
  const auto add_list = [&](const char* name, std::vector<std::string>& value, const std::string& help) {
    add(name, value, help)->delimiter(',');
  };
  const auto choose = [&](const char* name, auto& value, const auto& words, const std::string& help) {
    add_choice(command, name, value, words, help)->group("Data");
  };
  choose("--delimiter", settings.delimiter, delimiter_words(),
         "Cell separator: comma, semicolon or tab. Default: detected from the header");
  choose("--decimal", settings.decimal_comma, decimal_words(), "Decimal mark of numbers: point or comma");
  if (may_drop)
    choose(
        "--missing", settings.missing, missing_row_words(),
        fmt::format("How to treat a missing cell in a column that is used: error, or drop (drops the row). A "
                    "cell is missing if it is blank or one of {}, in upper or lower case",
                    missing_words));
  add_list("--missing-value", settings.missing_values,
           "COL:VALUE[|VALUE], separated by commas: values that mark a missing cell in this column, such as "
           "chol:0");
  if (columns == ColumnsFrom::options) {
    add_list("--categorical", settings.categorical,
             "COL or COL:LEVEL|LEVEL|..., separated by commas: categorical columns. Each level becomes a 0/1 "
             "column COL=LEVEL. Default levels: those in the data. In a real consortium, levels are public "
             "and listed in the charter");
    add_list(
        "--date", settings.dates,
        fmt::format("COL or COL:START|PART|..., separated by commas: date columns, read as days since START, "
                    "such as 2020-01-31. START is public. Default START: the earliest date in the data, or "
                    "the first day of the range in a new charter. Each PART ({}) adds a column COL.PART",
                    fmt::join(date_parts, ", ")));
  }
  choose("--slash-dates", settings.slash_dates, slash_date_words(),
         "How to read dates with slashes: day-first (31/12/2024) or month-first (12/31/2024). Without this "
         "option, such dates are an error");
  add_list("--variables", settings.variables,
           "For MATLAB files: the matrices to read, side by side. Default: all. A matrix X gives columns X1, "
           "X2, ..., or X if it has only one column");
  add("--sql", settings.sql,
      "For databases: the query whose rows are read, a single SELECT. Use an ORDER BY, because experts "
      "depend on the order of rows. Default: the only table");
  add("--password-file", settings.password_file,
      "For PostgreSQL: a file with the password that only its owner may read (mode 0600). Default: the "
      "environment variable TACIT_SQL_PASSWORD, or libpq's sources (PGPASSWORD, ~/.pgpass)");
}

ReadOptions DataOptions::checked() const {
  ReadOptions how = settings.checked(SettingsIn::options);
  how.by_charter = columns_ == ColumnsFrom::charter;
  return how;
}

ReadOptions DataOptions::checked(const ReadOptions& usual) const {
  ReadOptions how = checked();
  const auto given = [&](const char* option) { return command_->count(option) > 0; };
  if (!given("--delimiter")) how.delimiter = usual.delimiter;
  if (!given("--decimal")) how.decimal_comma = usual.decimal_comma;
  if (!given("--slash-dates")) how.slash_dates = usual.slash_dates;
  if (!given("--missing-value")) how.missing_values = usual.missing_values;
  if (!given("--variables")) how.variables = usual.variables;
  return how;
}

}  // namespace tacit::cli
