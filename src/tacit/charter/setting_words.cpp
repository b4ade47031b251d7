#include "tacit/charter/setting_words.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>

#include "tacit/base/settings.hpp"

namespace tacit {
namespace {

struct Field {
  std::string_view id, name, section;
  std::string_view words = {};  ///< instead of "name in [section]", if the message gives no value
};

constexpr auto charter_setting_fields = std::to_array<Field>({
    {"acceleration", "acceleration", "[protocol]"},
    {"address", "address", "[[agent]]"},
    {"agents", "", "", "the agents of the charter"},
    {"blinding", "blinding", "[protocol]"},
    {"categorical", "levels", "[columns]"},
    {"collusion", "collusion", "[protocol]"},
    {"column", "", "[columns]"},
    {"date", "date", "[columns]"},
    {"inputs", "inputs", "[columns]"},
    {"kernel", "kernel", "[model]"},
    {"landmarks", "landmarks", "[model]"},
    {"lengthscale", "lengthscale", "[model]"},
    {"lengthscale_floor", "lengthscale_floor", "[tuning]"},
    {"lz", "unit", "[protocol]"},
    {"masks", "masks", "[protocol]"},
    {"name", "name", "[[agent]]"},
    {"noise", "noise", "[model]"},
    {"noise_floor", "noise_floor", "[tuning]"},
    {"protocol", "sums", "[protocol]"},
    {"restarts", "restarts", "[tuning]"},
    {"signal", "signal", "[model]"},
    {"target", "targets", "[columns]"},
    {"topology", "topology", "[network]"},
    {"tune", "on", "[tuning]"},
    {"tune_box", "", "", "low and high in [tuning]"},
    {"tune_evaluations", "evaluations", "[tuning]"},
    {"y_max", "", "", "the target's low and high in [columns]"},
});

const Field* field_of(std::string_view id) {
  const auto at = std::ranges::find(charter_setting_fields, id, &Field::id);
  return at == charter_setting_fields.end() ? nullptr : &*at;
}

std::string field_words(const Field& field) {
  if (!field.words.empty()) return std::string(field.words);
  return field.name.empty() ? std::string(field.section) : fmt::format("{} in {}", field.name, field.section);
}

// The value as TOML.
std::string toml_value(std::string_view id, std::string_view value) {
  if (id == "tune") return value == "none" ? "false" : "true";
  const bool number = std::ranges::all_of(
      value, [](unsigned char c) { return std::isdigit(c) || c == '.' || c == '-' || c == 'e' || c == '+'; });
  return number ? std::string(value) : fmt::format("\"{}\"", value);
}

}  // namespace

std::string in_charter_words(std::string_view text) {
  return worded(text, [](const Setting& setting, std::string_view value) -> std::optional<std::string> {
    const Field* field = field_of(setting.id);
    if (!field) return std::nullopt;
    if (value.empty() || field->name.empty()) return field_words(*field);
    return fmt::format("{} = {} in {}", field->name, toml_value(setting.id, value), field->section);
  });
}

}  // namespace tacit
