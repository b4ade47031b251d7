#include "tacit/data/table_builder.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "tacit/data/cell.hpp"

namespace tacit {
namespace {

bool contains(const std::vector<std::string>& words, std::string_view word) {
  return std::find(words.begin(), words.end(), word) != words.end();
}

// Words are told apart by their characters, or, where both are numbers, by their values.
bool contains_value(const std::vector<std::string>& words, std::string_view cell) {
  const auto number = parse_number(cell);
  return std::any_of(words.begin(), words.end(), [&](const std::string& word) {
    return word == trimmed(cell) || (number && parse_number(word) == number);
  });
}

}  // namespace

TableBuilder::TableBuilder(std::string name, const char* row_word, const TableOptions& columns,
                           const ReadOptions& how)
    : columns_(columns), how_(how) {
  table_.name_ = std::move(name);
  table_.row_word_ = row_word;
}

void TableBuilder::set_names(ColumnNames names) {
  table_.names_ = std::move(names);
  const std::size_t count = table_.names_.size();
  table_.numbers_.resize(count);
  table_.texts_.resize(count);
  uses_.resize(count);
  auto use = [&](const std::string& column) -> Use& { return uses_[table_.names_.place(column, name())]; };
  for (const std::string& column : columns_.required) use(column);
  for (Use& one : uses_) one.number = columns_.only.empty();
  auto read_as_text = [&](const std::string& column) -> Use& {
    Use& one = use(column);
    one.number = false;
    one.text = true;
    return one;
  };
  for (const std::string& column : columns_.text_columns) read_as_text(column);
  for (const std::string& column : columns_.only) use(column).number = true;
  for (const std::string& column : columns_.optional)
    if (table_.has(column)) use(column).number = true;
  for (const ColumnWords& category : how_.categorical) read_as_text(category.column).levels = category.words;
  for (const ColumnWords& also : how_.missing_values)
    if (table_.has(also.column)) use(also.column).missing = also.words;
}

void TableBuilder::reserve(std::size_t rows) {
  for (std::size_t place = 0; place < uses_.size(); ++place) {
    if (uses_[place].number) table_.numbers_[place].reserve(rows);
    if (uses_[place].text) table_.texts_[place].reserve(rows);
  }
}

bool TableBuilder::misses(const Use& use, std::string_view cell) const {
  if (!use.levels.empty() && contains(use.levels, trimmed(cell))) return false;
  return is_missing(cell) || (!use.missing.empty() && contains_value(use.missing, cell));
}

void TableBuilder::note_missing(std::size_t place, std::string_view cell) {
  ++uses_[place].misses;
  row_misses_ = true;
  if (how_.missing == Missing::drop) return;
  throw InputError(fmt::format(
      "{}: the cell {}, a missing value; fill it in, leave the column out, or drop such rows with --missing "
      "drop.",
      at_cell(line_, place), trimmed(cell).empty() ? "is empty" : "is " + shown(trimmed(cell))));
}

void TableBuilder::take(std::size_t place, std::string_view cell) {
  Use& use = uses_[place];
  if (use.text || !use.missing.empty()) {
    use.text_now.clear();
    if (misses(use, cell)) return note_missing(place, cell);
    if (use.text) use.text_now = trimmed(cell);
  }
  if (use.number) {
    const auto number = how_.decimal_comma ? parse_comma_number(cell) : parse_number(cell);
    if (number) {
      use.number_now = *number;
    } else if (is_missing(cell)) {
      note_missing(place, cell);
    } else {
      throw InputError(
          fmt::format("{}: {}.", at_cell(line_, place), number_problem(cell, how_.decimal_comma)));
    }
  }
}

void TableBuilder::take(std::size_t place, double number) {
  Use& use = uses_[place];
  if (std::isinf(number))
    throw InputError(
        fmt::format("{}: the number is infinite; make it finite or remove the row.", at_cell(line_, place)));
  if (use.text || !use.missing.empty() || std::isnan(number)) {
    const std::string text = std::isnan(number) ? "NaN" : fmt::format("{}", number);
    use.text_now.clear();
    if (misses(use, text)) return note_missing(place, text);
    use.text_now = text;
  }
  use.number_now = number;
}

void TableBuilder::end_row() {
  const bool stays = !std::exchange(row_misses_, false);
  for (std::size_t place = 0; place < uses_.size(); ++place) {
    const Use& use = uses_[place];
    if (stays && use.number) table_.numbers_[place].push_back(use.number_now);
    if (!use.text) continue;
    if (stays) {
      table_.texts_[place].add(use.text_now);
    } else if (!use.text_now.empty()) {
      table_.texts_[place].note(use.text_now);  // a text whose rows are all dropped must stay known
    }
  }
  if (!stays) {
    ++table_.dropped_;
    return;
  }
  auto& jumps = table_.jumps_;
  if (jumps.empty() || line_ != jumps.back().second + (table_.rows_ - jumps.back().first))
    jumps.emplace_back(table_.rows_, line_);
  ++table_.rows_;
}

InputError TableBuilder::nothing_left() const {
  std::vector<std::size_t> places;
  for (std::size_t place = 0; place < uses_.size(); ++place)
    if (uses_[place].misses > 0) places.push_back(place);
  std::stable_sort(places.begin(), places.end(),
                   [&](std::size_t a, std::size_t b) { return uses_[a].misses > uses_[b].misses; });
  places.resize(std::min<std::size_t>(places.size(), 5));
  std::string list;
  for (const std::size_t place : places)
    list += fmt::format("{}{} miss {}", list.empty() ? "" : ", ", uses_[place].misses,
                        shown(table_.names_.all()[place]));
  return InputError(
      fmt::format("{}: each of its {} rows is missing a cell that is needed ({}), so dropping them leaves "
                  "none; leave such columns out (--inputs names those to use) or leave out the file.",
                  name(), table_.dropped_, list));
}

Table TableBuilder::finish() {
  if (table_.rows_ == 0) {
    if (table_.dropped_ > 0) throw nothing_left();
    throw InputError(fmt::format("{}: there are no rows below the column names; add some.", name()));
  }
  return std::move(table_);
}

std::string TableBuilder::at_line(std::size_t line) const {
  return fmt::format("{}, {} {}", name(), table_.row_word_, line);
}

std::string TableBuilder::at_cell(std::size_t line, std::size_t place) const {
  if (place >= table_.names_.size()) return at_line(line);
  return fmt::format("{}, column {}", at_line(line), shown(table_.names_.all()[place]));
}

}  // namespace tacit
