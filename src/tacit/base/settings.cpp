#include "tacit/base/settings.hpp"

#include <algorithm>

namespace tacit {
namespace {

const Setting* find_setting(std::string_view id) {
  const auto at = std::ranges::lower_bound(all_settings, id, {}, &Setting::id);
  return at != all_settings.end() && at->id == id ? &*at : nullptr;
}

}  // namespace

std::string with_value(std::string_view setting, std::string_view value) {
  if (!setting.ends_with('`')) return std::string(setting) + " " + std::string(value);
  return std::string(setting.substr(0, setting.size() - 1)) + "=" + std::string(value) + "`";
}

std::string worded(std::string_view text, const SettingWords& words) {
  std::string out;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t open = text.find('`', at), close = text.find('`', open + (open != text.npos));
    if (open == text.npos || close == text.npos) return out.append(text.substr(at));
    const std::string_view inside = text.substr(open + 1, close - open - 1);
    const std::size_t sign = std::min(inside.find('='), inside.size());
    const Setting* setting = find_setting(inside.substr(0, sign));
    const auto replacement =
        setting ? words(*setting, inside.substr(std::min(sign + 1, inside.size()))) : std::nullopt;
    if (replacement) {
      out.append(text.substr(at, open - at)).append(*replacement);
      at = close + 1;
    } else {  // the closing backquote may open a setting
      out.append(text.substr(at, close - at));
      if (setting) out += '`';
      at = setting ? close + 1 : close;
    }
  }
  return out;
}

std::vector<std::string> settings_in(std::string_view text) {
  std::vector<std::string> ids;
  worded(text, [&](const Setting& setting, std::string_view) -> std::optional<std::string> {
    if (std::ranges::find(ids, setting.id) == ids.end()) ids.emplace_back(setting.id);
    return std::nullopt;
  });
  return ids;
}

std::string in_plain_words(std::string_view text) {
  return worded(text, [](const Setting& setting, std::string_view value) -> std::optional<std::string> {
    if (value.empty()) return std::string(setting.plain);
    return std::string(setting.id) + "=" + std::string(value);
  });
}

}  // namespace tacit
