#include "tacit/identity/charter_propose.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "tacit/base/error.hpp"
#include "tacit/data/cell.hpp"
#include "tacit/data/read_data.hpp"
#include "tacit/identity/encoding.hpp"

namespace tacit {
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

}  // namespace

void add_column(ProposedColumns& columns, const std::string& text) {
  const auto refuse = [&] {
    throw InputError(
        fmt::format("--column {}: write name:low..high or name:level|level, with :target after what is to be "
                    "predicted, such as age:0..120, sex:f|m or y:0..400:target",
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
    const auto low = parse_number(range.substr(0, dots)), high = parse_number(range.substr(dots + 2));
    if (!low || !high || !(*low < *high)) refuse();
    column.low = *low;
    column.high = *high;
  } else {
    column.levels = split(range, '|');
    if (column.levels.size() < 2 || target) refuse();
  }
  (target ? columns.targets : columns.inputs).push_back(std::move(column));
}

std::pair<double, double> widened(double low, double high) {
  const double width = high > low ? high - low : std::max(1.0, std::abs(high));
  const double step = std::pow(10, std::floor(std::log10(width)));
  const double from = step * std::floor((low - width / 2) / step),
               to = step * std::ceil((high + width / 2) / step);
  const double least = low >= 0 ? std::max(0.0, from) : from;
  // Steps are powers of ten, so a few digits name their multiples; what rounding adds is cut off.
  const auto tidy = [](double value) { return std::stod(fmt::format("{:.12g}", value)); };
  return {tidy(least), tidy(to)};
}

ProposedColumns propose_columns(const std::filesystem::path& file, const std::vector<std::string>& targets,
                                const std::vector<std::string>& categorical) {
  const Table table = read_data(file, {.text_columns = categorical});
  ProposedColumns columns;
  for (const std::string& name : targets)
    table.numbers(name);  // refuses a target that is not there, or is text
  for (const std::string& name : table.columns()) {
    Column column{name, 0, 0, {}};
    if (contains(categorical, name)) {
      const auto words = table.texts(name).words();
      const std::set<std::string> levels(words.begin(), words.end());
      if (levels.size() > most_levels)
        throw InputError(
            fmt::format("{}, column {}: {} different levels are too many for a categorical column; at most "
                        "{} are allowed",
                        file.string(), in_quotes(name), levels.size(), most_levels));
      column.levels.assign(levels.begin(), levels.end());
    } else {
      const auto numbers = table.numbers(name);
      const auto [low, high] = std::minmax_element(numbers.begin(), numbers.end());
      std::tie(column.low, column.high) = widened(*low, *high);
    }
    (contains(targets, name) ? columns.targets : columns.inputs).push_back(std::move(column));
  }
  return columns;
}

}  // namespace tacit
