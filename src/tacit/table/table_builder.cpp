#include "tacit/table/table_builder.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "tacit/base/progress.hpp"
#include "tacit/base/sanitised_text.hpp"
#include "tacit/table/cells/cell.hpp"
#include "tacit/table/cells/cell_faults.hpp"
#include "tacit/table/cells/dates.hpp"

namespace tacit {
namespace {

bool contains(const std::vector<std::string>& words, std::string_view word) {
  return std::find(words.begin(), words.end(), word) != words.end();
}

// A cell equals a word if their characters are equal or, if both are numbers, if their values are equal.
bool contains_value(const std::vector<std::string>& words, std::string_view cell) {
  const auto number = parse_number(cell);
  return std::any_of(words.begin(), words.end(), [&](const std::string& word) {
    return word == trimmed(cell) || (number && parse_number(word) == number);
  });
}

double start_of(const DateColumn& date) {
  if (const auto day = parse_day(date.start)) return *day;
  throw InputError(fmt::format("column {}: the start date {} is not a date such as 2020-01-31.",
                               shown(date.column), shown(date.start)));
}

}  // namespace

TableBuilder::TableBuilder(std::string name, const char* row_word, const TableOptions& columns,
                           const ReadOptions& how)
    : columns_(columns), how_(how), bad_(name, row_word) {
  table_.name_ = std::move(name);
  table_.row_word_ = row_word;
}

void TableBuilder::set_names(ColumnNames names) {
  table_.names_ = std::move(names);
  std::vector<std::string> wanted = columns_.required;
  for (const auto* more : {&columns_.ids, &columns_.text_columns, &columns_.only})
    wanted.insert(wanted.end(), more->begin(), more->end());
  for (const ColumnWords& category : how_.categorical) wanted.push_back(category.column);
  require(wanted);
  wanted.insert(wanted.end(), columns_.optional.begin(), columns_.optional.end());
  add_dates(wanted);
  table_.numbers_.resize(uses_.size());
  table_.texts_.resize(uses_.size());
  table_.ids_.resize(uses_.size());
  auto use = [&](const std::string& column) -> Use& {
    return uses_[table_.names_.place(column, name(), wanted)];
  };
  for (const std::string& column : columns_.required) use(column);
  for (const std::string& column : columns_.ids) use(column).id = true;
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
  for (const std::string& column : columns_.fixed)
    if (table_.has(column)) use(column).fixed = true;
  for (const ColumnWords& category : how_.categorical) read_as_text(category.column).levels = category.words;
  for (const ColumnWords& also : how_.missing_values)
    if (table_.has(also.column)) use(also.column).missing = also.words;
  if (columns_.scratch) begin_streaming();
}

// Texts that are not categories, such as the owners of rows, are needed as a whole and stay in memory.
void TableBuilder::begin_streaming() {
  StreamedCells& cells = table_.streamed_.emplace(columns_.scratch, uses_.size());
  for (std::size_t place = 0; place < uses_.size(); ++place) {
    Use& use = uses_[place];
    use.text_stays = contains(columns_.text_columns, table_.names_.all()[place]);
    if (use.number || use.text) cells.add(place);
  }
}

// A part of a date is not a column of the file, so its date must exist.
void TableBuilder::require(std::vector<std::string> wanted) const {
  for (std::string& one : wanted)
    for (const DateColumn& date : how_.dates)
      for (const std::string& part : date.parts)
        if (one == part_column(date.column, part)) one = date.column;
  table_.names_.require(wanted, name());
}

// Only dates that are read must exist.
void TableBuilder::add_dates(std::span<const std::string> wanted) {
  uses_.resize(table_.names_.size());
  for (const DateColumn& date : how_.dates) {
    std::vector<std::string> names = {date.column};
    for (const std::string& part : date.parts) names.push_back(part_column(date.column, part));
    const bool read = columns_.only.empty() || std::any_of(names.begin(), names.end(), [&](const auto& one) {
                        return std::find(wanted.begin(), wanted.end(), one) != wanted.end();
                      });
    if (!read || (!table_.has(date.column) && contains(columns_.optional, date.column))) continue;
    Use& use = uses_[table_.names_.place(date.column, name(), wanted)];
    use.date = dates_.size();
    Date& added = dates_.emplace_back();
    if (!date.start.empty()) added.start = start_of(date);
    for (std::size_t k = 0; k < date.parts.size(); ++k) {
      if (table_.has(names[k + 1]))
        throw InputError(fmt::format(
            "{}: there is already a column {}, which is the name for the {} of {}; rename the column.",
            name(), shown(names[k + 1]), date.parts[k], shown(date.column)));
      added.parts.emplace_back(table_.names_.size(), date.parts[k]);
      table_.names_.add(names[k + 1], table_.names_.size() + 1, name());
    }
  }
  uses_.resize(table_.names_.size());
}

void TableBuilder::reserve(std::size_t rows) {
  if (columns_.progress) columns_.progress->total += rows;
  if (table_.streamed_) return columns_.scratch->expect(rows * table_.streamed_->width());
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
  row_is_bad_ = true;
  if (how_.missing != Missing::drop) refuse(place, cell, missing_fault(uses_[place].fixed, how_));
}

void TableBuilder::refuse(std::size_t place, std::string_view cell, const CellFault& fault) {
  bad_.add(table_.names_.all()[place], line_, trimmed(cell), fault);
  row_is_bad_ = true;
  const auto forget = [&](std::size_t there) {
    uses_[there].number_now = std::numeric_limits<double>::quiet_NaN();
    uses_[there].text_now.clear();
  };
  forget(place);
  if (uses_[place].date)
    for (const auto& [there, part] : dates_[*uses_[place].date].parts) forget(there);
}

void TableBuilder::take(std::size_t place, std::string_view cell) {
  Use& use = uses_[place];
  if (use.id) use.id_now = trimmed(cell);
  if ((use.id || use.text) && !is_utf8(cell)) return refuse(place, cell, encoding_fault());
  if (!use.number && !use.text && !use.date) return;
  if (use.text || !use.missing.empty()) {
    use.text_now.clear();
    if (misses(use, cell)) return note_missing(place, cell);
    if (use.text) use.text_now = trimmed(cell);
  }
  if (use.date) return take_date(place, cell);
  if (use.number) take_number(place, cell);
}

void TableBuilder::take_number(std::size_t place, std::string_view cell) {
  const auto number = how_.decimal_comma ? parse_comma_number(cell) : parse_number(cell);
  if (number) {
    uses_[place].number_now = *number;
  } else if (is_missing_number(cell)) {
    note_missing(place, cell);
  } else {
    refuse(place, cell, number_fault(cell, table_.names_.all()[place], uses_[place].fixed, how_));
  }
}

void TableBuilder::take_date(std::size_t place, std::string_view cell) {
  const Date& date = dates_[*uses_[place].date];
  if (const auto moment = parse_date(cell, how_.slash_dates)) {
    uses_[place].number_now = moment->days - date.start;
    for (const auto& [there, part] : date.parts) uses_[there].number_now = moment->part(part);
  } else if (is_missing_number(cell)) {
    note_missing(place, cell);
  } else {
    refuse(place, cell, date_fault(cell, how_));
  }
}

void TableBuilder::take(std::size_t place, double number) {
  Use& use = uses_[place];
  if (!std::isfinite(number) || use.date || use.id)
    return take(place, std::string_view(fmt::format("{}", number)));
  if (use.text || !use.missing.empty()) {
    use.text_now.clear();
    const std::string text = fmt::format("{}", number);
    if (misses(use, text)) return note_missing(place, text);
    use.text_now = text;
  }
  use.number_now = number;
}

void TableBuilder::keep_number(std::size_t place, double number) {
  (table_.streamed_ ? streamed_now_ : table_.numbers_[place]).push_back(number);
}

void TableBuilder::end_row() {
  const bool bad = std::exchange(row_is_bad_, false), kept = bad && how_.missing == Missing::keep;
  const bool stays = how_.missing == Missing::keep || (!bad && bad_.empty());
  if (kept) table_.bad_rows_.push_back(table_.rows_);
  for (std::size_t place = 0; place < uses_.size(); ++place) {
    const Use& use = uses_[place];
    if (stays && use.id) table_.ids_[place].push_back(use.id_now);
    if (stays && use.number) keep_number(place, use.number_now);
    if (!use.text) continue;
    if (stays) {
      TextColumn& texts = table_.texts_[place];
      const std::uint32_t code = use.text_stays ? texts.add(use.text_now) : texts.use(use.text_now);
      if (table_.streamed_ && !use.number) keep_number(place, code);
    } else if (!use.text_now.empty()) {
      table_.texts_[place].note(use.text_now);  // a text whose rows are all dropped must remain known
    }
  }
  if (columns_.progress) ++columns_.progress->done;
  if (stays && table_.streamed_) {
    columns_.scratch->append(streamed_now_);
    streamed_now_.clear();
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
    list += fmt::format("{}{} in {}", list.empty() ? "" : ", ", uses_[place].misses,
                        shown(table_.names_.all()[place]));
  return InputError(fmt::format(
      "{}: each of its {} rows has a missing value in a needed column ({}), so no row is left; {}.", name(),
      table_.dropped_, list,
      columns_.chosen_by.empty()
          ? "fill in values or use another file"
          : fmt::format("leave such columns out ({} names the columns to use) or leave out the file",
                        columns_.chosen_by)));
}

Table TableBuilder::finish() {
  if (how_.missing != Missing::keep) bad_.refuse_any();
  if (table_.streamed_) columns_.scratch->flush();
  table_.bad_cells_ = std::move(bad_);
  if (table_.rows_ == 0 && !how_.part) {
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
