#include "setting_words.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <utility>

#include "tacit/base/settings.hpp"

namespace tacit::python {
namespace {

// Settings whose words are not simply their ids as keywords.
constexpr auto other_words = std::to_array<std::pair<std::string_view, std::string_view>>({
    {"address", "tacit keygen --address"},
    {"agent", "Agent(path)"},
    {"check", "tacit agent --check"},
    {"column", "tacit charter new --column"},
    {"data_dir", "data_dir="},
    {"name", "tacit keygen --name"},
    {"new_page", "tacit page --new"},
    {"parts", "tacit simulate --parts"},
    {"restarts", "n_restarts_optimizer="},
    {"shares", "tacit simulate --shares"},
    {"skip_bad", "skip_bad=True"},
    {"stream", "stream=True"},
    {"together", "Agent.predict(together=True)"},
    {"tune_landmarks", "tune_landmarks=True"},
    {"with_experts", "Agent.export(experts=True)"},
});

std::optional<std::string> keyword_with(const Setting& setting, std::string_view value) {
  if (value.empty()) return keyword_of(setting.id);
  const bool number = std::ranges::all_of(
      value, [](unsigned char c) { return std::isdigit(c) || c == '.' || c == '-' || c == '+' || c == 'e'; });
  return fmt::format(fmt::runtime(number ? "{}={}" : "{}='{}'"), setting.id, value);
}

}  // namespace

std::string keyword_of(std::string_view setting) {
  for (const auto& [id, words] : other_words)
    if (id == setting) return std::string(words);
  return fmt::format("{}=", setting);
}

std::string in_keywords(std::string_view text) { return worded(text, keyword_with); }

}  // namespace tacit::python
