#include "tacit/base/closest_name.hpp"

#include <algorithm>
#include <cstddef>
#include <utility>
#include <vector>

namespace tacit {
namespace {

std::string lower_case(std::string_view text) {
  std::string lower(text);
  for (char& c : lower)
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  return lower;
}

// The Levenshtein distance.
std::size_t edit_distance(std::string_view a, std::string_view b) {
  std::vector<std::size_t> row(b.size() + 1);
  for (std::size_t j = 0; j <= b.size(); ++j) row[j] = j;
  for (std::size_t i = 1; i <= a.size(); ++i) {
    std::size_t diagonal = std::exchange(row[0], i);
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const std::size_t replaced = diagonal + (a[i - 1] == b[j - 1] ? 0 : 1);
      diagonal = std::exchange(row[j], std::min({replaced, row[j] + 1, row[j - 1] + 1}));
    }
  }
  return row.back();
}

}  // namespace

const std::string* closest_name(std::string_view wanted, std::span<const std::string> names) {
  const std::string target = lower_case(wanted);
  if (target.empty()) return nullptr;
  std::size_t allowed = std::min((target.size() + 2) / 3, target.size() - 1);
  const std::string* best = nullptr;
  for (const std::string& name : names) {
    const auto [shorter, longer] = std::minmax({name.size(), target.size()});
    if (longer - shorter > allowed) continue;
    const std::size_t distance = edit_distance(target, lower_case(name));
    if (distance < allowed || (distance == allowed && best == nullptr)) {
      allowed = distance;
      best = &name;
    }
  }
  return best;
}

}  // namespace tacit
