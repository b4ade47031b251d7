#include "tacit/cli/options/setting_words.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <utility>

#include "tacit/base/settings.hpp"

namespace tacit::cli {
namespace {

// Settings whose words are not simply their ids with dashes.
constexpr auto other_words = std::to_array<std::pair<std::string_view, std::string_view>>({
    {"check", "tacit agent --check"},
    {"new_page", "tacit page --new"},
    {"together", "tacit predict --together"},
    {"without", "tacit fit --without"},
});

// Quotes a value that contains spaces, bars and other characters with a meaning in a shell.
std::string for_shell(std::string_view value) {
  const bool simple = std::ranges::all_of(value, [](unsigned char c) {
    return std::isalnum(c) || c >= 0x80 ||
           std::string_view("_-.:=,/+").find(static_cast<char>(c)) != std::string_view::npos;
  });
  return simple ? std::string(value) : fmt::format("'{}'", value);
}

std::optional<std::string> option_with(const Setting& setting, std::string_view value) {
  const std::string option = option_of(setting.id);
  return value.empty() ? option : option + " " + for_shell(value);
}

}  // namespace

std::string option_of(std::string_view setting) {
  for (const auto& [id, words] : other_words)
    if (id == setting) return std::string(words);
  std::string option = fmt::format("--{}", setting);
  std::ranges::replace(option, '_', '-');
  return option;
}

std::string in_options(std::string_view text) { return worded(text, option_with); }

std::vector<std::string> in_options(std::vector<std::string> texts) {
  for (std::string& text : texts) text = in_options(std::string_view(text));
  return texts;
}

}  // namespace tacit::cli
