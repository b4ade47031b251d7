#include "tacit/table/read_settings.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "tacit/base/error.hpp"
#include "tacit/base/sanitised_text.hpp"
#include "tacit/base/settings.hpp"
#include "tacit/table/cells/cell.hpp"
#include "tacit/table/cells/dates.hpp"

namespace tacit {
namespace {

// Returns the name of a setting in agent.toml.
std::string toml_name(std::string_view id) {
  return id == "missing_value" ? "missing_values" : std::string(id);
}

std::string name_of(SettingsIn where, std::string_view id) {
  return where == SettingsIn::agent_toml ? "[data] " + toml_name(id) : fmt::format("`{}`", id);
}

// COL or COL:a|b|c.
ColumnWords column_words(const std::string& name, const std::string& text) {
  const std::size_t colon = text.find(':');
  ColumnWords out{std::string(trimmed(text.substr(0, colon))), {}};
  if (out.column.empty())
    throw InputError(fmt::format("{} '{}' has no column name; write COL or COL:a|b|c", name, text));
  for (std::size_t begin = colon; begin != std::string::npos;) {
    const std::size_t end = text.find('|', begin + 1);
    out.words.emplace_back(
        trimmed(std::string_view(text).substr(begin + 1, end == std::string::npos ? end : end - begin - 1)));
    if (out.words.back().empty())
      throw InputError(fmt::format("{} '{}' has a blank value; write COL:a|b|c", name, text));
    begin = end;
  }
  return out;
}

std::vector<ColumnWords> each_once(const std::string& name, const std::vector<std::string>& texts) {
  std::vector<ColumnWords> all;
  for (const std::string& text : texts) {
    ColumnWords one = column_words(name, text);
    if (std::any_of(all.begin(), all.end(), [&](const auto& other) { return other.column == one.column; }))
      throw InputError(fmt::format("{} names column '{}' twice; name it once", name, one.column));
    all.push_back(std::move(one));
  }
  return all;
}

DateColumn date_column(const std::string& name, const ColumnWords& spec) {
  DateColumn out{spec.column};
  for (const std::string& word : spec.words) {
    const bool part = is_date_part(word);
    if (!part && !parse_day(word))
      throw InputError(fmt::format("{}: '{}' is neither a start date such as 2020-01-31 nor one of {}",
                                   with_value(name, spec.column), word, fmt::join(date_parts, ", ")));
    if (part ? std::find(out.parts.begin(), out.parts.end(), word) != out.parts.end() : !out.start.empty())
      throw InputError(
          fmt::format("{} has {}", with_value(name, spec.column),
                      part ? "'" + word + "' twice; name it once" : "two start dates; keep one"));
    if (part)
      out.parts.push_back(word);
    else
      out.start = word;
  }
  return out;
}

}  // namespace

ReadOptions ReadSettings::checked(SettingsIn where) const {
  const auto name = [&](const char* id) { return name_of(where, id); };
  ReadOptions out;
  out.settings = where;
  out.delimiter = delimiter;
  out.decimal_comma = decimal_comma;
  out.missing = missing;
  out.slash_dates = slash_dates;
  out.missing_values = each_once(name("missing_value"), missing_values);
  for (const ColumnWords& one : out.missing_values)
    if (one.words.empty())
      throw InputError(fmt::format("{} has no value; write {}:VALUE",
                                   with_value(name("missing_value"), one.column), one.column));
  out.categorical = each_once(name("categorical"), categorical);
  for (const ColumnWords& one : each_once(name("date"), dates))
    out.dates.push_back(date_column(name("date"), one));
  out.variables = trimmed_names(variables);
  out.sql = sql;
  out.password_file = password_file;
  return out;
}

const Choices<char>& delimiter_words() {
  static const Choices<char> words{{"comma", ','}, {"semicolon", ';'}, {"tab", '\t'}};
  return words;
}

const Choices<bool>& decimal_words() {
  static const Choices<bool> words{{"point", false}, {"comma", true}};
  return words;
}

const Choices<Missing>& missing_row_words() {
  static const Choices<Missing> words{{"error", Missing::refuse}, {"drop", Missing::drop}};
  return words;
}

const Choices<SlashDates>& slash_date_words() {
  static const Choices<SlashDates> words{{"day-first", SlashDates::day_first},
                                         {"month-first", SlashDates::month_first}};
  return words;
}

std::string setting(const ReadOptions& how, std::string_view name, std::string_view value) {
  const bool charter_decides = name == "categorical" || name == "date";
  if (name == "missing" && how.missing == Missing::keep) return {};
  if (how.settings == SettingsIn::nowhere || (charter_decides && how.by_charter)) return {};
  const std::string text = sanitised_text(value);  // it may contain a column's name
  if (how.settings == SettingsIn::options) return fmt::format("`{}={}`", name, text);
  if (charter_decides) return {};
  const bool list = name == "missing_value" || name == "variables";
  return fmt::format("{} = {}\"{}\"{} under [data] in agent.toml", toml_name(name), list ? "[" : "", text,
                     list ? "]" : "");
}

std::string either(std::initializer_list<std::string_view> cures) {
  std::vector<std::string_view> given;
  for (const std::string_view cure : cures)
    if (!cure.empty()) given.push_back(cure);
  if (given.empty()) return {};
  const std::string last(given.back());
  given.pop_back();
  if (given.empty()) return last;
  return fmt::format("{}{} or {}", fmt::join(given, ", "), given.size() > 1 ? "," : "", last);
}

std::vector<std::string> trimmed_names(const std::vector<std::string>& names) {
  std::vector<std::string> out;
  for (const std::string& name : names) out.emplace_back(trimmed(name));
  return out;
}

}  // namespace tacit
