#include "tacit/cli/options/data_options.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "tacit/cli/text/numbers.hpp"
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
  add("--delimiter", settings.delimiter,
      "What separates cells: comma, semicolon or tab; taken from the header when left out");
  add("--decimal", settings.decimal, "The decimal mark of numbers: point or comma")->capture_default_str();
  if (may_drop)
    add("--missing", settings.missing,
        fmt::format("What to do about a missing cell (blank, {}, in upper or lower case) in a column that is "
                    "used: error, or drop the row",
                    missing_words))
        ->capture_default_str();
  add_list("--missing-value", settings.missing_values,
           "COL:VALUE[|VALUE], separated by commas: values that mean missing in this column, such as chol:0");
  if (columns == ColumnsFrom::options) {
    add_list(
        "--categorical", settings.categorical,
        "COL or COL:LEVEL|LEVEL|..., separated by commas: columns whose every level becomes a 0/1 column "
        "COL=LEVEL. Without declared levels, those in the data are used; in a real consortium levels are "
        "public and the charter lists them");
    add_list(
        "--date", settings.dates,
        fmt::format(
            "COL or COL:START|PART|..., separated by commas: columns of dates, read as days since "
            "START (such as 2020-01-31), which is public; when left out, since the earliest date in "
            "the data, or in a new charter the first day of the range. A PART ({}) becomes a column COL.PART",
            fmt::join(date_parts, ", ")));
  }
  add("--slash-dates", settings.slash_dates,
      "How dates with slashes are written: day-first (31/12/2024) or month-first (12/31/2024); refused when "
      "left out");
  add_list("--variables", settings.variables,
           "In MATLAB files: the matrices to read, side by side; all when left out. A matrix X gives columns "
           "X1, X2, ..., or X if it has only one");
  add("--sql", settings.sql,
      "For databases: the query whose rows are read, a single SELECT; experts depend on the order of rows, "
      "so give "
      "it an ORDER BY. The only table when left out");
  add("--password-file", settings.password_file,
      "For PostgreSQL: a file with the password, which only its owner may read (mode 0600). When left out, "
      "the "
      "environment variable TACIT_SQL_PASSWORD has it, or what libpq looks for (PGPASSWORD, ~/.pgpass)");
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

Json data_json(const Parties& parties) {
  Json files = Json::array(), categorical = Json::object(), dates = Json::object(), notes = Json::array();
  std::size_t dropped = 0;
  for (const DataFile& file : parties.files) {
    files.push_back(
        {{"file", file.name}, {"rows", file.rows}, {"dropped", file.dropped}, {"test", file.test}});
    dropped += file.dropped;
    for (const std::string& note : file.notes) notes.push_back(file.name + ": " + note);
  }
  for (const ColumnWords& category : parties.categorical) categorical[category.column] = category.words;
  for (const DateColumn& date : parties.dates)
    dates[date.column] = {{"start", date.start}, {"parts", date.parts}};
  return {{"files", std::move(files)},
          {"dropped", dropped},
          {"categorical", std::move(categorical)},
          {"dates", std::move(dates)},
          {"notes", std::move(notes)}};
}

std::string data_text(const Parties& parties) {
  std::string out;
  auto line = [&](const std::string& text) {
    out += (out.empty() ? "Data     " : "         ") + text + "\n";
  };
  for (const DataFile& file : parties.files) {
    for (const std::string& note : file.notes) line(fmt::format("{}: {}", file.name, note));
    if (file.dropped > 0)
      line(fmt::format("{} of {}{} dropped for a missing cell: {} left", plural(file.dropped, "row"),
                       file.test ? "the test file " : "", file.name, count(file.rows)));
  }
  for (const ColumnWords& category : parties.categorical)
    line(fmt::format("{} has {}: {}", category.column, plural(category.words.size(), "level"),
                     fmt::join(category.words, ", ")));
  for (const DateColumn& date : parties.dates)
    if (!date.start.empty())
      line(fmt::format(
          "{} counts days since {}{}", date.column, date.start,
          std::find(parties.earliest.begin(), parties.earliest.end(), date.column) == parties.earliest.end()
              ? ""
              : fmt::format(", the earliest date in the data (--date {}:{} fixes it)", date.column,
                            date.start)));
  return out;
}

}  // namespace tacit::cli
