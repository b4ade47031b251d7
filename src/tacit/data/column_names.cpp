#include "tacit/data/column_names.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "tacit/base/error.hpp"
#include "tacit/base/nearest.hpp"
#include "tacit/base/plain.hpp"
#include "tacit/data/cell.hpp"

namespace tacit {
namespace {

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
  std::vector<std::string> others;  // a column that is wanted too is not meant by another name
  for (const std::string& one : names_)
    if (std::find(wanted.begin(), wanted.end(), one) == wanted.end()) others.push_back(one);
  const std::string* const near = nearest(name, others);
  throw InputError(fmt::format("{}: there is no column {}; {}use one of {}.", file, shown(name),
                               near ? fmt::format("did you mean {}, or else ", shown(*near)) : "",
                               listed(names_)));
}

}  // namespace tacit
