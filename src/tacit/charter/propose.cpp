#include "tacit/charter/propose.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "tacit/base/error.hpp"
#include "tacit/identity/encoding.hpp"
#include "tacit/table/cells/cell.hpp"
#include "tacit/table/cells/dates.hpp"
#include "tacit/table/read_data.hpp"

namespace tacit {

std::pair<double, double> widened(double low, double high) {
  const double width = high > low ? high - low : std::max(1.0, std::abs(high));
  const double step = std::pow(10, std::floor(std::log10(width)));
  const double from = step * std::floor((low - width / 2) / step),
               to = step * std::ceil((high + width / 2) / step);
  const double least = low >= 0 ? std::max(0.0, from) : from;
  // Multiples of a power of ten have few digits. This removes the digits that rounding adds.
  const auto tidy = [](double value) { return std::stod(fmt::format("{:.12g}", value)); };
  return {tidy(least), tidy(to)};
}

namespace {

constexpr std::size_t most_levels = 100;

bool contains(const std::vector<std::string>& all, const std::string& one) {
  return std::find(all.begin(), all.end(), one) != all.end();
}

std::vector<std::string> split(const std::string& text, char separator) {
  std::vector<std::string> parts{""};
  for (const char c : text)
    if (c == separator)
      parts.emplace_back();
    else
      parts.back() += c;
  return parts;
}

// Whole years, with a margin of at least one year on both sides. Without an agreed start, the first of them
// is the start, so that it reveals the date of no row.
void propose_days(Column& column, const std::string& start, double first, double last) {
  const double zero = start.empty() ? 0 : parse_day(start).value(),
               margin = std::max(365.0, (last - first) / 2);
  const auto year = [&](double day) {
    return std::clamp(std::stoi(day_text(std::clamp(zero + day, -719'000.0, 2'932'000.0))), 1, 9999);
  };
  const std::string low = fmt::format("{:04}-01-01", year(first - margin)),
                    high = fmt::format("{:04}-12-31", year(last + margin));
  set_days(column, start.empty() ? low : start, low, high);
}

std::vector<std::string> levels_of(const Table& table, const std::string& name) {
  const auto words = table.texts(name).words();
  const std::set<std::string> levels(words.begin(), words.end());
  if (levels.size() > most_levels)
    throw InputError(fmt::format(
        "{}, column {}: {} different levels are too many for a categorical column; the limit is {}",
        table.name(), in_quotes(name), levels.size(), most_levels));
  return {levels.begin(), levels.end()};
}

// The range that a part of dates always has; none for years.
std::optional<std::pair<double, double>> natural_range(std::string_view part) {
  if (part == "month") return {{1, 12}};
  if (part == "day") return {{1, 31}};
  if (part == "weekday") return {{1, 7}};
  if (part == "hour") return {{0, 24}};
  return std::nullopt;
}

Column proposed(const Table& table, const std::string& name, const ReadOptions& how) {
  Column column{name, 0, 0, {}};
  for (const ColumnWords& category : how.categorical)
    if (category.column == name) {
      column.levels = category.words.empty() ? levels_of(table, name) : category.words;
      return column;
    }
  const auto numbers = table.numbers(name);
  const auto [low, high] = std::minmax_element(numbers.begin(), numbers.end());
  for (const DateColumn& date : how.dates) {
    if (date.column == name) {
      propose_days(column, date.start, *low, *high);
      return column;
    }
    for (const std::string& part : date.parts) {
      if (part_column(date.column, part) != name) continue;
      column.part_of = date.column;
      if (const auto range = natural_range(part)) {
        std::tie(column.low, column.high) = *range;
        return column;
      }
    }
  }
  std::tie(column.low, column.high) = widened(*low, *high);
  return column;
}

}  // namespace

void add_column(ProposedColumns& columns, const std::string& text) {
  const auto refuse = [&] {
    throw InputError(fmt::format(
        "`column={}`: write name:low..high or name:level|level, with :target after a column to "
        "predict, such as age:0..120, sex:f|m, admitted:2018-01-01..2030-12-31 or y:0..400:target",
        text));
  };
  std::string rest = text;
  const std::string mark = ":target";
  const bool target = rest.ends_with(mark);
  if (target) rest.resize(rest.size() - mark.size());
  const std::size_t colon = rest.rfind(':');
  if (colon == std::string::npos || colon == 0) refuse();
  Column column{rest.substr(0, colon), 0, 0, {}};
  const std::string range = rest.substr(colon + 1);
  const std::size_t dots = range.find("..");
  if (dots != std::string::npos) {
    const std::string from = range.substr(0, dots), to = range.substr(dots + 2);
    if (parse_day(from) && parse_day(to)) {
      set_days(column, from, from, to);
    } else {
      const auto low = parse_number(from), high = parse_number(to);
      if (!low || !high) refuse();
      column.low = *low;
      column.high = *high;
    }
    if (!(column.low < column.high)) refuse();
  } else {
    column.levels = split(range, '|');
    if (column.levels.size() < 2 || target) refuse();
  }
  (target ? columns.targets : columns.inputs).push_back(std::move(column));
}

ProposedColumns propose_columns(const std::filesystem::path& file, const std::vector<std::string>& inputs,
                                const std::vector<std::string>& targets, const ReadOptions& how) {
  TableOptions wanted{.fixed = targets, .chosen_by = "`inputs`"};
  for (const ColumnWords& category : how.categorical)
    if (contains(targets, category.column))
      throw InputError(fmt::format(
          "column '{}' is a target, so it must have numbers; remove it from `categorical`", category.column));
  if (!inputs.empty()) {
    wanted.only = inputs;
    wanted.only.insert(wanted.only.end(), targets.begin(), targets.end());
  }
  const Table table = read_data(file, wanted, how);
  ProposedColumns columns;
  for (const std::string& name : targets) table.numbers(name);  // throws if the target is missing or is text
  for (const std::string& name : table.columns()) {
    if (!inputs.empty() && !contains(wanted.only, name)) continue;
    (contains(targets, name) ? columns.targets : columns.inputs).push_back(proposed(table, name, how));
  }
  return columns;
}

}  // namespace tacit
