// How files are to be read, as people write it: options of a command, or [data] in agent.toml.
#pragma once

#include <initializer_list>
#include <string>
#include <string_view>
#include <vector>

#include "tacit/table/read_options.hpp"

namespace tacit {

/// As written, not yet checked. The options are called --delimiter, --decimal, --missing, --slash-dates,
/// --missing-value, --categorical, --date, --variables, --sql and --password-file; in agent.toml delimiter,
/// decimal, missing, slash_dates, missing_values, variables, sql and password_file, as a charter has the
/// categories and dates.
struct ReadSettings {
  std::string delimiter = {};                    ///< comma, semicolon or tab; empty: the header decides
  std::string decimal = "point";                 ///< or comma
  std::string missing = "error";                 ///< or drop
  std::string slash_dates = {};                  ///< day-first or month-first; empty: refused
  std::vector<std::string> missing_values = {};  ///< COL:VALUE|VALUE
  std::vector<std::string> categorical = {};     ///< COL or COL:LEVEL|LEVEL
  std::vector<std::string> dates = {};           ///< COL or COL:START|PART|PART
  std::vector<std::string> variables = {};
  std::string sql = {}, password_file = {};  ///< for databases

  /// Throws InputError, naming the setting as it is called there, for what it does not know. Spaces around
  /// names and values do not count.
  ReadOptions checked(SettingsIn where = SettingsIn::options) const;
};

/// What to write in order to set this: --missing drop, or missing = "drop" under [data] in agent.toml. Empty
/// where that cannot be set: nowhere, or because a charter decides it. `name` is an option's, without --.
std::string setting(const ReadOptions& how, std::string_view name, std::string_view value);

/// "a", "a or b", "a, b, or c", of those that are not empty.
std::string either(std::initializer_list<std::string_view> cures);

/// Names without the spaces around them, for lists such as "age, weight".
std::vector<std::string> trimmed_names(const std::vector<std::string>& names);

}  // namespace tacit
