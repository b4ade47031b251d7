#include "tacit/cli/data_options.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "tacit/base/error.hpp"
#include "tacit/cli/numbers.hpp"
#include "tacit/cli/plan_options.hpp"
#include "tacit/data/cell.hpp"

namespace tacit::cli {
namespace {

// COL or COL:a|b|c.
ColumnWords column_words(const std::string& option, const std::string& text) {
  const std::size_t colon = text.find(':');
  ColumnWords out{text.substr(0, colon), {}};
  if (out.column.empty())
    throw InputError(fmt::format("{} '{}' names no column; write COL or COL:a|b|c", option, text));
  for (std::size_t begin = colon; begin != std::string::npos;) {
    const std::size_t end = text.find('|', begin + 1);
    out.words.emplace_back(
        trimmed(std::string_view(text).substr(begin + 1, end == std::string::npos ? end : end - begin - 1)));
    if (out.words.back().empty())
      throw InputError(fmt::format("{} '{}' has a blank value; write COL:a|b|c", option, text));
    begin = end;
  }
  return out;
}

std::vector<ColumnWords> each_once(const std::string& option, const std::vector<std::string>& texts) {
  std::vector<ColumnWords> all;
  for (const std::string& text : texts) {
    ColumnWords one = column_words(option, text);
    if (std::any_of(all.begin(), all.end(), [&](const auto& other) { return other.column == one.column; }))
      throw InputError(fmt::format("{} names column '{}' twice; name it once", option, one.column));
    all.push_back(std::move(one));
  }
  return all;
}

}  // namespace

void DataOptions::add_to(CLI::App& command) {
  command
      .add_option("--delimiter", delimiter,
                  "What separates cells: comma, semicolon or tab; taken from the header when left out")
      ->group("Data");
  command.add_option("--decimal", decimal, "The decimal mark of numbers: point or comma")
      ->capture_default_str()
      ->group("Data");
  command
      .add_option(
          "--missing", missing,
          fmt::format(
              "What to do about a missing cell (blank, {}, in upper or lower case) in a column that is "
              "used: error, or drop the row",
              missing_words))
      ->capture_default_str()
      ->group("Data");
  command
      .add_option("--missing-value", missing_values,
                  "COL:VALUE[|VALUE], separated by commas: values that mean missing in this column, such as "
                  "chol:0")
      ->delimiter(',')
      ->group("Data");
  command
      .add_option("--categorical", categorical,
                  "COL or COL:LEVEL|LEVEL|..., separated by commas: columns whose every level becomes a 0/1 "
                  "column COL=LEVEL. Without declared levels, those in all --data files are used; in a real "
                  "consortium levels are public and the charter lists them")
      ->delimiter(',')
      ->group("Data");
  command
      .add_option("--variables", variables,
                  "In MATLAB files: the matrices to read, side by side; all when left out. A matrix X gives "
                  "columns X1, X2, ..., or X if it has only one")
      ->delimiter(',')
      ->group("Data");
}

ReadOptions DataOptions::checked() const {
  ReadOptions out;
  if (!delimiter.empty()) {
    check_word("--delimiter", delimiter, {"comma", "semicolon", "tab"});
    out.delimiter = delimiter == "comma" ? ',' : delimiter == "semicolon" ? ';' : '\t';
  }
  check_word("--decimal", decimal, {"point", "comma"});
  check_word("--missing", missing, {"error", "drop"});
  out.decimal_comma = decimal == "comma";
  out.missing = missing == "drop" ? Missing::drop : Missing::refuse;
  out.missing_values = each_once("--missing-value", missing_values);
  for (const ColumnWords& one : out.missing_values)
    if (one.words.empty())
      throw InputError(
          fmt::format("--missing-value {} names no value; write {}:VALUE", one.column, one.column));
  out.categorical = each_once("--categorical", categorical);
  out.variables = variables;
  return out;
}

Json data_json(const Parties& parties) {
  Json files = Json::array(), categorical = Json::object();
  std::size_t dropped = 0;
  for (const DataFile& file : parties.files) {
    files.push_back(
        {{"file", file.name}, {"rows", file.rows}, {"dropped", file.dropped}, {"test", file.test}});
    dropped += file.dropped;
  }
  for (const ColumnWords& category : parties.categorical) categorical[category.column] = category.words;
  return {{"files", std::move(files)}, {"dropped", dropped}, {"categorical", std::move(categorical)}};
}

std::string data_text(const Parties& parties) {
  std::string out;
  auto line = [&](const std::string& text) {
    out += (out.empty() ? "Data     " : "         ") + text + "\n";
  };
  for (const DataFile& file : parties.files)
    if (file.dropped > 0)
      line(fmt::format("{} of {}{} dropped for a missing cell: {} left", plural(file.dropped, "row"),
                       file.test ? "the test file " : "", file.name, count(file.rows)));
  for (const ColumnWords& category : parties.categorical)
    line(fmt::format("{} has {}: {}", category.column, plural(category.words.size(), "level"),
                     fmt::join(category.words, ", ")));
  return out;
}

}  // namespace tacit::cli
