// The user's settings for reading files: options of a command, or [data] in agent.toml.
#pragma once

#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "tacit/base/choices.hpp"
#include "tacit/table/read_options.hpp"

namespace tacit {

/// The settings, not yet checked. In agent.toml the charter declares categories and dates.
struct ReadSettings {
  std::optional<char> delimiter = {};  ///< none: the header decides
  bool decimal_comma = false;
  Missing missing = Missing::refuse;
  SlashDates slash_dates = SlashDates::refuse;
  std::vector<std::string> missing_values = {};  ///< COL:VALUE|VALUE
  std::vector<std::string> categorical = {};     ///< COL or COL:LEVEL|LEVEL
  std::vector<std::string> dates = {};           ///< COL or COL:START|PART|PART
  std::vector<std::string> variables = {};
  std::string sql = {}, password_file = {};  ///< for databases

  /// Throws InputError for invalid values, with the name of the setting in that place. Ignores spaces around
  /// names and values.
  ReadOptions checked(SettingsIn where = SettingsIn::options) const;
};

/// The words of settings that are enumerations, in options and in agent.toml.
const Choices<char>& delimiter_words();
const Choices<bool>& decimal_words();  ///< whether the decimal mark is a comma
const Choices<Missing>& missing_row_words();
const Choices<SlashDates>& slash_date_words();

/// Returns a setting for a message (base/settings.hpp): `missing=drop`, or missing = "drop" under [data] in
/// agent.toml. Returns an empty text if the user cannot set it, for example because the charter decides.
std::string setting(const ReadOptions& how, std::string_view name, std::string_view value);

/// Returns "a", "a or b" or "a, b, or c", skipping empty texts.
std::string either(std::initializer_list<std::string_view> cures);

/// Returns the names without the spaces around them, for lists such as "age, weight".
std::vector<std::string> trimmed_names(const std::vector<std::string>& names);

}  // namespace tacit
