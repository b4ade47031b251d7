#include "tacit/data/column_names.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "tacit/base/error.hpp"
#include "tacit/base/plain.hpp"
#include "tacit/data/cell.hpp"

namespace tacit {
namespace {

std::string lower_case(std::string text) {
  for (char& c : text) {
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  }
  return text;
}

// Levenshtein's distance: the fewest characters to insert, delete or replace to turn a into b.
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

// The name most like the one sought, up to a third of its characters; nullptr if none is close. Those that
// are wanted too are columns of their own.
const std::string* nearest(std::string_view sought, std::span<const std::string> names,
                           std::span<const std::string> wanted) {
  const std::string target = lower_case(std::string(sought));
  if (target.empty()) return nullptr;
  std::size_t allowed = std::min((target.size() + 2) / 3, target.size() - 1);
  const std::string* best = nullptr;
  for (const std::string& name : names) {
    if (std::find(wanted.begin(), wanted.end(), name) != wanted.end()) continue;
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

std::string listed(std::span<const std::string> names) {
  constexpr std::size_t most = 30;
  std::string list;
  for (const std::string& name : names.first(std::min(most, names.size()))) {
    list += (list.empty() ? "" : ", ") + shown(name);
  }
  if (names.size() > most) list += fmt::format(" and {} more", names.size() - most);
  return list;
}

}  // namespace

void ColumnNames::add(std::string_view name, std::size_t count, std::string_view where, std::size_t before) {
  name = trimmed(name);
  if (name.empty())
    throw InputError(fmt::format("{}: column {} of {} has no name; give it one.", where,
                                 before + names_.size() + 1, count));
  if (!is_utf8(name))
    throw InputError(
        fmt::format("{}: the column name {} is not UTF-8 text; save the file as UTF-8.", where, shown(name)));
  if (!places_.emplace(name, names_.size()).second)
    throw InputError(
        fmt::format("{}: there are two columns called {}; rename one of them.", where, shown(name)));
  names_.emplace_back(name);
}

std::size_t ColumnNames::place(std::string_view name, std::string_view file,
                               std::span<const std::string> wanted) const {
  if (const auto found = places_.find(name); found != places_.end()) return found->second;
  const std::string* const near = nearest(name, names_, wanted);
  throw InputError(fmt::format("{}: there is no column {}; {}use one of {}.", file, shown(name),
                               near ? fmt::format("did you mean {}, or else ", shown(*near)) : "",
                               listed(names_)));
}

}  // namespace tacit
