#include "tacit/table/column_names.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "tacit/base/closest_name.hpp"
#include "tacit/base/error.hpp"
#include "tacit/base/sanitised_text.hpp"
#include "tacit/table/cells/cell.hpp"

namespace tacit {
namespace {

std::string listed(std::span<const std::string> names) {
  constexpr std::size_t most = 30;
  const std::string start = names.size() == 1 ? "only column is " : "columns are ";
  std::string list;
  for (const std::string& name : names.first(std::min(most, names.size()))) {
    list += (list.empty() ? "" : ", ") + shown(name);
  }
  if (names.size() > most) list += fmt::format(" and {} more", names.size() - most);
  return start + list;
}

// Some programs separate cells by spaces or bars, so that a whole line is read as one cell.
std::string if_one_is_several(std::span<const std::string> names) {
  return names.size() == 1 && names[0].find_first_of(" |") != std::string::npos
             ? "; if this is more than one column, separate cells by commas, semicolons or tabs"
             : "";
}

// s1 and s2 belong to a series; neither is a misspelling of the other.
std::string without_digits(std::string_view name) {
  std::string rest(name);
  std::erase_if(rest, [](char c) { return c >= '0' && c <= '9'; });
  return rest;
}

// Returns the existing name that is probably meant, or nothing. A column that is requested under its own name
// is not a candidate.
std::string meant_by(std::string_view name, std::span<const std::string> names,
                     std::span<const std::string> wanted) {
  std::vector<std::string> others;
  for (const std::string& one : names)
    if (std::find(wanted.begin(), wanted.end(), one) == wanted.end() &&
        without_digits(one) != without_digits(name))
      others.push_back(one);
  const std::string* const near = closest_name(name, others);
  return near ? *near : "";
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

void ColumnNames::require(std::span<const std::string> wanted, std::string_view file) const {
  std::vector<std::string> absent;
  for (const std::string& name : wanted)
    if (!has(name) && std::find(absent.begin(), absent.end(), name) == absent.end()) absent.push_back(name);
  if (absent.size() == 1) place(absent[0], file, wanted);
  if (absent.size() < 2) return;
  std::vector<std::string> reported;
  for (const std::string& name : absent) {
    const std::string near = meant_by(name, names_, wanted);
    reported.push_back(shown(name) + (near.empty() ? near : fmt::format(" (did you mean {}?)", shown(near))));
  }
  const std::string last = reported.back();
  reported.pop_back();
  throw InputError(fmt::format("{}: there are no columns {} and {}; the {}{}.", file,
                               fmt::join(reported, ", "), last, listed(names_), if_one_is_several(names_)));
}

std::size_t ColumnNames::place(std::string_view name, std::string_view file,
                               std::span<const std::string> wanted) const {
  if (const auto found = places_.find(name); found != places_.end()) return found->second;
  const std::string near = meant_by(name, names_, wanted);
  throw InputError(fmt::format("{}: there is no column {}; {} {}{}.", file, shown(name),
                               near.empty() ? "the" : fmt::format("did you mean {}? The", shown(near)),
                               listed(names_), if_one_is_several(names_)));
}

}  // namespace tacit
