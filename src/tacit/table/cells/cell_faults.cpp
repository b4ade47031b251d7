#include "tacit/table/cells/cell_faults.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <regex>

#include "tacit/table/cells/cell.hpp"
#include "tacit/table/cells/dates.hpp"
#include "tacit/table/read_settings.hpp"

namespace tacit {
namespace {

bool charter_decides(const ReadOptions& how) {
  return how.by_charter || how.settings == SettingsIn::agent_toml;
}

std::string leave_out(bool fixed, const ReadOptions& how) {
  return fixed || charter_decides(how) ? "remove the row" : "leave the column out";
}

// "use `decimal=comma`", or nothing where the user cannot set it.
std::string use(const ReadOptions& how, std::string_view name, std::string_view value) {
  const std::string text = setting(how, name, value);
  return text.empty() ? text : "use " + text;
}

template <std::size_t N>
bool is_one_of(std::string_view cell, const std::array<std::string_view, N>& words) {
  return std::find(words.begin(), words.end(), cell) != words.end();
}

bool is_mark(std::string_view cell) {
  constexpr std::array<std::string_view, 7> marks = {".", "..", "-", "--", "*", "\u2013", "\u2014"};
  return is_one_of(cell, marks);
}

bool is_truth(std::string_view cell) {
  constexpr std::array<std::string_view, 6> words = {"TRUE", "FALSE", "True", "False", "true", "false"};
  return is_one_of(cell, words);
}

bool is_spreadsheet_error(std::string_view cell) {
  constexpr std::array<std::string_view, 6> words = {"#DIV/0!", "#REF!", "#VALUE!",
                                                     "#NAME?",  "#NUM!", "#NULL!"};
  return is_one_of(cell, words);
}

// Only short texts are matched: long ones are not numbers, and matching them needs a deep stack.
bool matches(std::string_view cell, const std::regex& pattern) {
  return cell.size() <= 40 && std::regex_match(cell.begin(), cell.end(), pattern);
}

// 1,234,567.8 or 1.234.567,8 or 1'234 or 1 234, also with non-breaking spaces.
bool has_thousands(std::string_view cell) {
  static const std::regex pattern(
      "[+-]?[0-9]{1,3}( |,|\\.|'|\xC2\xA0|\xE2\x80\xAF)[0-9]{3}(\\1[0-9]{3})*([.,][0-9]+)?");
  return matches(cell, pattern);
}

// $12, 12 kg, 12.50 €.
bool has_unit(std::string_view cell) {
  static const std::regex pattern("[^0-9+.,-]{0,4} ?[+-]?[0-9]+([.,][0-9]+)?[^0-9.,:/-]{0,10}");
  return matches(cell, pattern);
}

CellFault comma_fault(const ReadOptions& how) {
  const std::string decimal = use(how, "decimal", "comma");
  return {"has a comma", "have a comma",
          decimal.empty()
              ? "write numbers with a decimal point and without thousands separators"
              : fmt::format("if it is the decimal mark, {}; if it separates thousands, remove it", decimal)};
}

CellFault point_fault(const ReadOptions& how) {
  return {"has a point, but the decimal mark is a comma", "have a point, but the decimal mark is a comma",
          either({"remove points that separate thousands", use(how, "decimal", "point")})};
}

CellFault number_as_date_fault(const std::string& column, bool fixed, const ReadOptions& how) {
  const std::string date = use(how, "date", column);
  return {"is a date", "are dates",
          charter_decides(how)
              ? "the charter declares numbers in this column; write numbers, or declare dates in the charter"
              : either({date.empty() ? date : date + " to count days since a start", leave_out(fixed, how)})};
}

}  // namespace

CellFault missing_fault(bool fixed, const ReadOptions& how) {
  const std::string drop = setting(how, "missing", "drop");
  return {"is a missing value", "are missing values",
          either({"fill in a value", leave_out(fixed, how),
                  drop.empty() ? drop : "drop such rows with " + drop})};
}

CellFault number_fault(std::string_view cell, const std::string& column, bool fixed, const ReadOptions& how) {
  cell = trimmed(cell);
  const auto [value, error] = parse_any_number(how.decimal_comma ? with_point(cell) : std::string(cell));
  if (error == std::errc::result_out_of_range)
    return {"is too large, or too close to 0, for a 64-bit floating-point number",
            "are too large, or too close to 0, for 64-bit floating-point numbers", "rescale the column"};
  if (error == std::errc{} && std::isnan(value))
    return {"is NaN, a missing value", "are NaN, a missing value", "write a number or remove the row"};
  if (error == std::errc{} && std::isinf(value))
    return {"is infinite", "are infinite", "write a finite number or remove the row"};
  if (looks_like_date(cell)) return number_as_date_fault(column, fixed, how);
  if (how.decimal_comma && parse_number(cell)) return point_fault(how);
  if (!how.decimal_comma && parse_comma_number(cell)) return comma_fault(how);
  if (has_thousands(cell)) return {"has thousands separators", "have thousands separators", "remove them"};
  if (is_mark(cell)) {
    const std::string advice = use(how, "missing_value", fmt::format("{}:{}", column, cell));
    return {"is a placeholder and not a number", "are placeholders and not numbers",
            either({advice.empty() ? advice : "if it means missing, " + advice, "write numbers"})};
  }
  const std::string categorical = fixed ? "" : use(how, "categorical", column);
  if (is_truth(cell))
    return {"is a true/false value", "are true/false values", either({"write 1 and 0", categorical})};
  if (is_spreadsheet_error(cell))
    return {"is a spreadsheet error", "are spreadsheet errors", "correct the sheet or clear such cells"};
  if (cell.ends_with('%'))
    return {"has a percent sign", "have a percent sign", "write plain numbers in one unit"};
  if (has_unit(cell))
    return {"contains more than a number", "contain more than a number",
            either({"write plain numbers in one unit",
                    categorical.empty() ? categorical : categorical + " if these are categories",
                    leave_out(fixed, how)})};
  return {"is not a number", "are not numbers",
          either({categorical.empty() ? categorical : categorical + " if these are categories",
                  "write numbers", leave_out(fixed, how)})};
}

CellFault date_fault(std::string_view cell, const ReadOptions& how) {
  constexpr const char* forms = "write dates as 2024-12-31, 2024-12-31 23:59 or 31.12.2024";
  if (!looks_like_date(cell)) return {"is not a date", "are not dates", forms};
  if (has_short_year(cell))
    return {"has a two-digit year", "have two-digit years", "write years with four digits"};
  if (cell.find('/') == cell.npos || how.slash_dates != SlashDates::refuse)
    return {"is not a day of the calendar", "are not days of the calendar", "correct the dates"};
  const std::string order = use(how, "slash_dates", "day-first");
  return {"has slashes, so day and month are ambiguous", "have slashes, so day and month are ambiguous",
          either({order.empty() ? order : order + " (or month-first)", forms})};
}

CellFault encoding_fault() { return {"is not UTF-8 text", "are not UTF-8 text", "save the file as UTF-8"}; }

}  // namespace tacit
