#include "tacit/regression/table.hpp"

#include <csv.h>
#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <cmath>
#include <cstdio>
#include <exception>
#include <memory>
#include <new>
#include <system_error>
#include <utility>

#include "tacit/base/error.hpp"

namespace tacit {
namespace {

// A piece of the user's text as messages show it: quoted, escaped, and cut after 40 characters.
std::string shown(std::string_view text) {
  constexpr std::size_t longest = 40, longest_in_bytes = 4 * longest;
  std::size_t end = 0, characters = 0;
  for (; end < text.size() && end < longest_in_bytes; ++end) {
    const bool starts_character = (static_cast<unsigned char>(text[end]) & 0xC0) != 0x80;
    if (starts_character && ++characters > longest) break;
  }
  return fmt::format("{:?}{}", text.substr(0, end), end < text.size() ? "..." : "");
}

std::string_view trimmed(std::string_view text) {
  const std::size_t first = text.find_first_not_of(" \t");
  if (first == text.npos) return {};
  return text.substr(first, text.find_last_not_of(" \t") - first + 1);
}

struct Parsed {
  double value = 0;
  std::errc error = std::errc::invalid_argument;  // or none, or result_out_of_range
};

Parsed parse(std::string_view cell) {
  cell = trimmed(cell);
  if (cell.starts_with('+') && !cell.starts_with("+-")) cell.remove_prefix(1);
  Parsed parsed;
  const char* const end = cell.data() + cell.size();
  const auto [stop, error] = std::from_chars(cell.data(), end, parsed.value);
  if (stop == end) parsed.error = error;
  return parsed;
}

// Why a cell cannot be read as a number, and what to do about it.
std::string number_problem(std::string_view cell) {
  const auto [value, error] = parse(cell);
  std::string_view problem = "is not a number; correct it or leave the column out";
  if (error == std::errc::result_out_of_range) {
    problem = "is too large, or too close to 0, for a 64-bit floating-point number; rescale the column";
  } else if (error == std::errc{} && std::isnan(value)) {
    problem = "is not a number but NaN, a missing value; fill it in or remove the row";
  } else if (error == std::errc{}) {
    problem = "is infinite; write a finite number or remove the row";
  }
  return fmt::format("the cell {} {}", shown(cell), problem);
}

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

// The name most like the wanted one, up to a third of its characters; nullptr if none is close.
const std::string* nearest(std::string_view wanted, std::span<const std::string> names) {
  const std::string target = lower_case(std::string(wanted));
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

std::string listed(std::span<const std::string> names) {
  constexpr std::size_t most = 30;
  std::string list;
  for (const std::string& name : names.first(std::min(most, names.size()))) {
    list += (list.empty() ? "" : ", ") + shown(name);
  }
  if (names.size() > most) list += fmt::format(" and {} more", names.size() - most);
  return list;
}

struct CloseFile {
  void operator()(std::FILE* file) const { std::fclose(file); }
};
using File = std::unique_ptr<std::FILE, CloseFile>;

InputError unreadable(const std::string& name, int error) {
  return InputError(fmt::format("{}: the file cannot be read ({}); check that it is a file and may be read.",
                                name, std::generic_category().message(error)));
}

File open(const std::filesystem::path& file, const std::string& name) {
  std::error_code ignored;
  if (std::filesystem::is_directory(file, ignored)) {
    throw InputError(fmt::format("{}: this is a directory; name a CSV file in it.", name));
  }
  File opened(std::fopen(file.c_str(), "rb"));
  if (opened) return opened;
  if (errno == ENOENT) throw InputError(fmt::format("{}: there is no such file; check the path.", name));
  throw unreadable(name, errno);
}

// Counts lines as they pass: LF, CRLF and CR each end one.
struct LineCounter {
  std::size_t line = 1;
  char last = '\0';
  void pass(std::string_view text) {
    for (const char c : text) {
      if (c == '\r' || (c == '\n' && last != '\r')) ++line;
      last = c;
    }
  }
};

// The cells that libcsv has found of one row, end to end.
struct RawRow {
  std::string text;
  std::vector<std::size_t> ends;
  bool complete = false;
  std::exception_ptr failure;  // no exception may cross libcsv

  std::string_view cell(std::size_t place) const {
    const std::size_t begin = place == 0 ? 0 : ends[place - 1];
    return std::string_view(text).substr(begin, ends[place] - begin);
  }
  void clear() {
    text.clear();
    ends.clear();
    complete = false;
  }
};

void on_cell(void* data, std::size_t size, void* row) {
  auto& raw = *static_cast<RawRow*>(row);
  try {
    raw.text.append(static_cast<const char*>(data), size);
    raw.ends.push_back(raw.text.size());
  } catch (...) {
    raw.failure = std::current_exception();
  }
}

void on_row_end(int, void* row) { static_cast<RawRow*>(row)->complete = true; }

// libcsv's parser, which takes a text in pieces and calls back with each cell and each end of a row.
class Parser {
 public:
  Parser() {
    csv_init(&state_, CSV_STRICT | CSV_STRICT_FINI | CSV_REPALL_NL);
    csv_set_blk_size(&state_, std::size_t{1} << 16);
  }
  ~Parser() { csv_free(&state_); }
  Parser(const Parser&) = delete;
  Parser& operator=(const Parser&) = delete;

  // Whether the quotes in this piece, or in the whole text, are well formed.
  bool take(std::string_view piece, RawRow& row) {
    return check(csv_parse(&state_, piece.data(), piece.size(), on_cell, on_row_end, &row) == piece.size(),
                 row);
  }
  bool finish(RawRow& row) { return check(csv_fini(&state_, on_cell, on_row_end, &row) == 0, row); }

 private:
  bool check(bool parsed, const RawRow& row) {
    if (row.failure) std::rethrow_exception(row.failure);
    if (!parsed && csv_error(&state_) != CSV_EPARSE) throw std::bad_alloc();
    return parsed;
  }

  csv_parser state_;
};

}  // namespace

std::optional<double> parse_number(std::string_view cell) {
  const auto [value, error] = parse(cell);
  if (error != std::errc{} || !std::isfinite(value)) return std::nullopt;
  return value;
}

std::size_t Table::place(std::string_view column) const {
  if (const auto found = places_.find(column); found != places_.end()) return found->second;
  const std::string* const near = nearest(column, columns_);
  throw InputError(fmt::format("{}: there is no column {}; {}use one of {}.", name_, shown(column),
                               near ? fmt::format("did you mean {}, or else ", shown(*near)) : "",
                               listed(columns_)));
}

std::span<const double> Table::numbers(std::string_view column) const {
  const auto& cells = numbers_[place(column)];
  if (!cells.empty()) return cells;
  throw InputError(fmt::format("{}: column {} was not read as numbers; ask for it when reading the table.",
                               name_, shown(column)));
}

std::span<const std::string> Table::texts(std::string_view column) const {
  const auto& cells = texts_[place(column)];
  if (!cells.empty()) return cells;
  throw InputError(fmt::format("{}: column {} was not read as text; ask for it when reading the table.",
                               name_, shown(column)));
}

// Feeds a file to libcsv one line at a time, so that the line of every cell and every fault is known.
class TableReader {
 public:
  TableReader(std::string name, const TableOptions& options) : options_(options) {
    table_.name_ = std::move(name);
  }

  Table read(const std::filesystem::path& path) {
    const File file = open(path, table_.name_);
    std::string block(std::size_t{1} << 20, '\0');
    for (bool first = true, more = true; more; first = false) {
      const std::size_t size = std::fread(block.data(), 1, block.size(), file.get());
      if (std::ferror(file.get())) throw unreadable(table_.name_, errno);
      more = size == block.size();
      std::string_view text(block.data(), size);
      if (first && text.starts_with("\xEF\xBB\xBF")) text.remove_prefix(3);
      take_block(text);
    }
    finish();
    return std::move(table_);
  }

  Table read_text(std::string_view text) {
    take_block(text);
    finish();
    return std::move(table_);
  }

 private:
  void take_block(std::string_view text) {
    if (const std::size_t nul = text.find('\0'); nul != text.npos) {
      counter_.pass(text.substr(0, nul));
      throw fault(at_line(counter_.line),
                  "there is a NUL byte, so this is not plain text; save the table as CSV in UTF-8");
    }
    while (!text.empty()) {
      const auto line_end =
          std::find_if(text.begin(), text.end(), [](char c) { return c == '\n' || c == '\r'; });
      const auto size = static_cast<std::size_t>(line_end - text.begin()) + (line_end == text.end() ? 0 : 1);
      take_piece(text.substr(0, size));
      text.remove_prefix(size);
    }
  }

  // A piece ends at the end of a line, or of a block, so it ends at most one row.
  void take_piece(std::string_view piece) {
    if (std::exchange(between_rows_, false)) row_line_ = counter_.line;
    if (!parser_.take(piece, row_)) throw misplaced_quote(piece);
    counter_.pass(piece);
    if (row_.complete) take_row();
  }

  void finish() {
    if (!parser_.finish(row_)) {
      throw fault(at_cell(row_.ends.size()),
                  "a quoted cell of this row is never closed; add the quote that is missing");
    }
    if (row_.complete) take_row();
    if (table_.columns_.empty()) {
      throw fault(table_.name_, "the file is empty; it must have a line of column names and rows below it");
    }
    if (table_.rows() == 0) throw fault(table_.name_, "there are no rows below the column names; add some");
  }

  void take_row() {
    if (!row_.ends.empty()) {  // else the line is blank, or the LF of a CRLF
      if (table_.columns_.empty()) {
        take_header();
      } else {
        take_cells();
      }
    }
    row_.clear();
    between_rows_ = true;
  }

  void take_header() {
    const std::size_t count = row_.ends.size();
    if (count == 1 && row_.cell(0).find_first_of(";\t") != std::string_view::npos) throw wrong_separator();
    for (std::size_t place = 0; place < count; ++place) {
      const std::string_view name = row_.cell(place);
      if (trimmed(name).empty()) {
        throw fault(at_line(row_line_),
                    fmt::format("column {} of {} has no name; give it one", place + 1, count));
      }
      if (!table_.places_.emplace(name, place).second) {
        throw fault(at_line(row_line_),
                    fmt::format("there are two columns {}; rename one of them", shown(name)));
      }
      table_.columns_.emplace_back(name);
    }
    table_.numbers_.resize(count);
    table_.texts_.resize(count);
    is_text_.assign(count, false);
    is_number_.assign(count, options_.only.empty());
    for (const std::string& name : options_.text_columns) {
      is_text_[table_.place(name)] = true;
      is_number_[table_.place(name)] = false;
    }
    for (const std::string& name : options_.only) is_number_[table_.place(name)] = true;
  }

  void take_cells() {
    const std::size_t count = table_.columns_.size(), found = row_.ends.size();
    if (found != count) {
      throw fault(at_line(row_line_), fmt::format("the row has {} cell{} where {} {} expected; {}", found,
                                                  found == 1 ? "" : "s", count, count == 1 ? "is" : "are",
                                                  found < count ? "add what is missing"
                                                                : "put a cell that has commas in quotes"));
    }
    for (std::size_t place = 0; place < count; ++place) {
      if (!is_number_[place] && !is_text_[place]) continue;
      const std::string_view cell = row_.cell(place);
      if (trimmed(cell).empty()) {
        throw fault(at_cell(place),
                    "the cell is empty, a missing value; fill it in, remove the row or leave the column out");
      }
      if (is_number_[place]) {
        const auto number = parse_number(cell);
        if (!number) throw fault(at_cell(place), number_problem(cell));
        table_.numbers_[place].push_back(*number);
      }
      if (is_text_[place]) table_.texts_[place].emplace_back(cell);
    }
    table_.lines_.push_back(row_line_);
  }

  InputError misplaced_quote(std::string_view line) const {
    const bool in_header = table_.columns_.empty();
    if (in_header && line.find_first_of(";\t") != line.npos && line.find(',') == line.npos)
      return wrong_separator();
    return fault(counter_.line == row_line_
                     ? at_cell(row_.ends.size())
                     : fmt::format("{} (in the row from line {})", at_line(counter_.line), row_line_),
                 "a quote is out of place; put the whole cell in quotes and double every quote inside it");
  }

  InputError wrong_separator() const {
    return fault(at_line(row_line_),
                 "the columns seem to be separated by semicolons or tabs; separate them by commas");
  }

  std::string at_line(std::size_t line) const { return fmt::format("{}, line {}", table_.name_, line); }

  std::string at_cell(std::size_t place) const {
    if (place >= table_.columns_.size()) return at_line(row_line_);
    return fmt::format("{}, column {}", at_line(row_line_), shown(table_.columns_[place]));
  }

  static InputError fault(std::string_view where, std::string_view what) {
    return InputError(fmt::format("{}: {}.", where, what));
  }

  const TableOptions& options_;
  Table table_;
  Parser parser_;
  RawRow row_;
  LineCounter counter_;
  bool between_rows_ = true;
  std::size_t row_line_ = 1;               // where the row in row_ starts
  std::vector<bool> is_number_, is_text_;  // by place
};

Table read_table(const std::filesystem::path& file, const TableOptions& options) {
  return TableReader(file.string(), options).read(file);
}

Table parse_table(std::string name, std::string_view text, const TableOptions& options) {
  return TableReader(std::move(name), options).read_text(text);
}

}  // namespace tacit
