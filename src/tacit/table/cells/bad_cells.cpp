#include "tacit/table/cells/bad_cells.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "tacit/gp/saved_file.hpp"
#include "tacit/table/cells/cell.hpp"

namespace tacit {
namespace {

constexpr std::size_t most_places = 3, most_lines = 20, longest_value = 200;

std::string value_shown(const std::string& value) { return trimmed(value).empty() ? "blank" : shown(value); }

}  // namespace

BadCells::Group& BadCells::group_of(std::string_view column, const CellFault& fault) {
  auto known = by_column_.find(column);
  if (known == by_column_.end()) known = by_column_.emplace(column, std::vector<std::size_t>()).first;
  for (const std::size_t place : known->second)
    if (groups_[place].fault.many == fault.many) return groups_[place];
  known->second.push_back(groups_.size());
  return groups_.emplace_back(Group{std::string(column), fault, 0, {}});
}

void BadCells::add(std::string_view column, std::size_t line, std::string_view value,
                   const CellFault& fault) {
  ++count_;
  Group& group = group_of(column, fault);
  if (group.count++ < most_places) group.first.push_back({line, std::string(value.substr(0, longest_value))});
}

void BadCells::add(const BadCells& further) {
  if (further.file_ != file_) return;
  count_ += further.count_;
  for (const Group& more : further.groups_) {
    Group& group = group_of(more.column, more.fault);
    group.count += more.count;
    for (const Place& place : more.first)
      if (group.first.size() < most_places) group.first.push_back(place);
  }
}

void BadCells::write(SavedWriter& out) const {
  out.text(file_);
  out.text(row_word_);
  out.number<std::uint64_t>(groups_.size());
  for (const Group& group : groups_) {
    for (const std::string& text :
         {group.column, group.fault.one, group.fault.many, group.fault.cure, group.fault.seen})
      out.text(text);
    out.number<std::uint64_t>(group.count);
    out.number<std::uint64_t>(group.first.size());
    for (const Place& place : group.first) {
      out.number<std::uint64_t>(place.line);
      out.text(place.value);
    }
  }
}

BadCells BadCells::read(SavedReader& in) {
  std::string file = in.text();
  BadCells all(std::move(file), in.text());
  for (std::size_t left = in.count(1); left > 0; --left) {
    std::string column = in.text();
    CellFault fault;
    for (std::string* text : {&fault.one, &fault.many, &fault.cure, &fault.seen}) *text = in.text();
    Group& group = all.group_of(column, fault);
    group.count = in.number<std::uint64_t>();
    all.count_ += group.count;
    for (std::size_t places = in.count(1); places > 0; --places) {
      const auto line = in.number<std::uint64_t>();
      group.first.push_back({line, in.text()});
    }
  }
  return all;
}

std::string BadCells::sentence(const Group& group, bool with_file, bool with_values) const {
  const bool seen = with_values && !group.fault.seen.empty();
  const std::string cure =
      (seen ? "; " + group.fault.seen : "") + (group.fault.cure.empty() ? "" : "; " + group.fault.cure);
  const std::string file = with_file ? file_ + ", " : "";
  if (group.count == 1) {
    const Place& place = group.first[0];
    const bool blank = trimmed(place.value).empty();
    return fmt::format("{}{} {}, column {}: the {}cell{} {}{}.", file, row_word_, place.line,
                       shown(group.column), with_values && blank ? "blank " : "",
                       with_values && !blank ? " " + shown(place.value) : "", group.fault.one, cure);
  }
  std::vector<std::string> places;
  for (const Place& place : group.first)
    places.push_back(with_values ? fmt::format("{} in {} {}", value_shown(place.value), row_word_, place.line)
                                 : fmt::format("{} {}", row_word_, place.line));
  return fmt::format("{}column {}: {} cells {} ({}{}){}.", file, shown(group.column), group.count,
                     group.fault.many, fmt::join(places, ", "), group.count > places.size() ? ", ..." : "",
                     cure);
}

std::vector<std::string> BadCells::sentences(bool with_values) const {
  std::vector<std::string> all;
  for (const Group& group : groups_) all.push_back(sentence(group, true, with_values));
  return all;
}

std::string BadCells::text(bool with_values) const {
  if (groups_.size() == 1) return sentence(groups_[0], true, with_values);
  std::string text = fmt::format("{}: {} cells in {} column{} cannot be used:", file_, count_,
                                 by_column_.size(), by_column_.size() == 1 ? "" : "s");
  const std::size_t lines = std::min(most_lines, groups_.size());
  for (std::size_t k = 0; k < lines; ++k) text += "\n  " + sentence(groups_[k], false, with_values);
  if (lines < groups_.size()) text += fmt::format("\n  and {} more such lines.", groups_.size() - lines);
  return text;
}

void BadCells::refuse_any() const {
  if (empty()) return;
  std::string quietly = text(false);  // a log entry is one line
  std::erase(quietly, '\n');
  throw BadCellsError(text(true), std::move(quietly), std::make_shared<const BadCells>(*this));
}

}  // namespace tacit
