// The settings that messages name.
//
// A message of a room below the front ends names a setting by its id between backquotes, if needed with a
// value: "the bound on |y| (`y_max`) must be positive", "use `tune=none`". It does not know how its caller
// spells the setting. Each front end that shows the message puts its own words there: --y-max, y_max=, or a
// field of the charter.
//
// Threads: plain functions.
// Errors: nothing of its own, unless a callback throws.
// Stopping: nothing here takes long.
#pragma once

#include <array>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace tacit {

struct Setting {
  std::string_view id;
  std::string_view plain;  ///< for people, where no front end has other words
};

/// All of them, in alphabetical order of their ids. Every front end has words for each.
inline constexpr auto all_settings = std::to_array<Setting>({
    {"acceleration", "acceleration"},
    {"address", "address"},
    {"agent", "the agent's folder"},
    {"agents", "agents"},
    {"allow_missing_triangles", "allow_missing_triangles"},
    {"bandwidth", "bandwidth"},
    {"blinding", "blinding"},
    {"categorical", "categorical"},
    {"check", "the check of the agent"},
    {"coalition", "coalition"},
    {"colluding", "colluding"},
    {"collusion", "collusion"},
    {"column", "column"},
    {"data", "data"},
    {"data_dir", "data_dir"},
    {"date", "date"},
    {"decimal", "decimal"},
    {"delimiter", "delimiter"},
    {"dimension", "dimension"},
    {"error", "error"},
    {"expert_split", "expert_split"},
    {"helpers", "helpers"},
    {"holdout", "holdout"},
    {"id", "id"},
    {"inputs", "inputs"},
    {"iterations", "iterations"},
    {"kernel", "kernel"},
    {"landmark_points", "landmark_points"},
    {"landmarks", "landmarks"},
    {"lengthscale", "lengthscale"},
    {"lengthscale_floor", "lengthscale_floor"},
    {"lw", "lw"},
    {"lz", "lz"},
    {"masks", "masks"},
    {"missing", "missing"},
    {"missing_value", "missing_value"},
    {"modulus_bits", "modulus_bits"},
    {"modulus_rule", "modulus_rule"},
    {"name", "name"},
    {"new_page", "a new link to the page"},
    {"noise", "noise"},
    {"noise_floor", "noise_floor"},
    {"outputs", "outputs"},
    {"parts", "parts"},
    {"password_file", "password_file"},
    {"points", "points"},
    {"protect", "protect"},
    {"protocol", "protocol"},
    {"restarts", "restarts"},
    {"rho", "rho"},
    {"rivals", "rivals"},
    {"scratch", "scratch"},
    {"shares", "shares"},
    {"signal", "signal"},
    {"size", "size"},
    {"skip_bad", "skip_bad"},
    {"slash_dates", "slash_dates"},
    {"split", "split"},
    {"sql", "sql"},
    {"stream", "stream"},
    {"target", "target"},
    {"test", "test"},
    {"test_fraction", "test_fraction"},
    {"together", "asking together"},
    {"topology", "topology"},
    {"tune", "tune"},
    {"tune_box", "tune_box"},
    {"tune_decay", "tune_decay"},
    {"tune_evaluations", "tune_evaluations"},
    {"tune_gradient", "tune_gradient"},
    {"tune_iterations", "tune_iterations"},
    {"tune_landmarks", "tune_landmarks"},
    {"tune_lz", "tune_lz"},
    {"tune_shared", "tune_shared"},
    {"tune_start", "tune_start"},
    {"tune_step", "tune_step"},
    {"value_bound", "value_bound"},
    {"variables", "variables"},
    {"with_experts", "with_experts"},
    {"without", "a fit without members"},
    {"y_max", "y_max"},
});

/// "`decimal`" and "dot" as "`decimal=dot`". Any other text as "[data] decimal dot".
std::string with_value(std::string_view setting, std::string_view value);

/// A front end's words for a setting, and for its value if the message has one. None keeps the id, for
/// another front end to word.
using SettingWords =
    std::function<std::optional<std::string>(const Setting& setting, std::string_view value)>;

/// The text with these words for its settings. Backquotes around anything else stay.
std::string worded(std::string_view text, const SettingWords& words);

/// The ids of the settings that the text names, each once, in the order of the text.
std::vector<std::string> settings_in(std::string_view text);

/// The text with the plain words, and "id=value" for settings with a value.
std::string in_plain_words(std::string_view text);

}  // namespace tacit
