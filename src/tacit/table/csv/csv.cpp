#include "tacit/table/csv/csv.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <fstream>
#include <utility>

#include "tacit/base/error.hpp"
#include "tacit/table/cells/cell.hpp"
#include "tacit/table/csv/csv_parser.hpp"
#include "tacit/table/csv/delimiter.hpp"
#include "tacit/table/csv/row_shape.hpp"
#include "tacit/table/read_settings.hpp"
#include "tacit/table/table_builder.hpp"

namespace tacit {
namespace {

constexpr std::size_t longest_row = std::size_t{64} << 20, longest_header = std::size_t{1} << 20;

InputError fault(std::string_view where, std::string_view what) {
  return InputError(fmt::format("{}: {}.", where, what));
}

bool is_blank(std::string_view line) { return line.find_first_not_of(" \t\r\n") == line.npos; }

bool ends_line(char c) { return c == '\n' || c == '\r'; }

// Recognises files of spreadsheet programs that are not CSV in UTF-8; nullptr for any other text.
const char* other_format(std::string_view start) {
  if (start.starts_with("\xFF\xFE") || start.starts_with("\xFE\xFF"))
    return "this is UTF-16 text, such as Excel's \"Unicode text\"; save the table as \"CSV UTF-8\"";
  if (start.starts_with("PK\x03\x04") || start.starts_with("\xD0\xCF\x11\xE0"))
    return "this is a workbook or an archive, not a text file; save the sheet as \"CSV UTF-8\"";
  return nullptr;
}

// The separator in a line such as sep=; which Excel writes before the header; nothing for any other line.
std::optional<char> named_separator(std::string_view line) {
  while (!line.empty() && (ends_line(line.back()) || line.back() == '"')) line.remove_suffix(1);
  if (line.starts_with('"')) line.remove_prefix(1);
  if (line.size() != 5 || !line.starts_with("sep=")) return std::nullopt;
  return line[4];
}

// Passes text to libcsv one line at a time, so that each error can state its line.
class CsvReader {
 public:
  CsvReader(std::string name, const TableOptions& columns, const ReadOptions& how)
      : builder_(name, "line", columns, how), shape_(std::move(name)), how_(how), delimiter_(how.delimiter) {}

  /// Sets the length of the whole text, if known, from which the number of rows is estimated.
  void expect(std::uint64_t bytes) { expected_bytes_ = bytes; }

  void take_block(std::string_view text) {
    if (std::exchange(first_block_, false)) text.remove_prefix(mark_of(text));
    if (const std::size_t nul = text.find('\0'); nul != text.npos) {
      for (const char c : text.substr(0, nul)) pass(std::string_view(&c, 1));
      throw fault(builder_.at_line(line_),
                  "there is a NUL byte, so this is not plain text; save the table as CSV in UTF-8");
    }
    const std::size_t before = builder_.rows(), block = text.size();
    while (!text.empty()) text.remove_prefix(take_line(text));
    if (before == 0 && builder_.rows() > 0 && expected_bytes_ > block)  // 5 % more, as line lengths vary
      builder_.reserve(static_cast<std::size_t>(1.05 * static_cast<double>(builder_.rows()) *
                                                static_cast<double>(expected_bytes_) /
                                                static_cast<double>(block)));
  }

  /// Reads only the header from the beginning of a file and returns its length.
  std::size_t take_header(std::string_view text) {
    const std::size_t all = text.size();
    first_block_ = false;
    text.remove_prefix(mark_of(text));
    while (!text.empty() && builder_.names().size() == 0) text.remove_prefix(take_line(text));
    return all - text.size();
  }

  /// Continues at a later line of the file.
  void jump_to(std::size_t line) {
    line_ = line;
    last_ = '\0';
  }

  Table finish() {
    if (!ready_) settle_delimiter();
    if (!parser_.finish(row_)) {
      throw fault(at_next_cell(), "a quoted cell in this row has no closing quote; add the quote");
    }
    if (row_.complete) take_row();
    if (builder_.names().size() == 0) {
      throw fault(builder_.name(),
                  "the file is empty; it needs a line of column names and at least one row below it");
    }
    for (std::string& note : shape_.notes(delimiter_word(*delimiter_))) builder_.note(std::move(note));
    return builder_.finish();
  }

 private:
  // Returns the length of the byte order mark. Refuses files that are not text.
  std::size_t mark_of(std::string_view text) const {
    if (const char* other = other_format(text)) throw fault(builder_.name(), other);
    return text.starts_with("\xEF\xBB\xBF") ? 3 : 0;
  }

  // Takes the first line of the text, or all of it if no line ends in it. Returns the length taken.
  std::size_t take_line(std::string_view text) {
    const auto line_end = std::find_if(text.begin(), text.end(), ends_line);
    const auto size = static_cast<std::size_t>(line_end - text.begin()) + (line_end == text.end() ? 0 : 1);
    if (ready_) {
      take_piece(text.substr(0, size));
    } else {
      take_header_piece(text.substr(0, size));
    }
    return size;
  }

  // Collects the lines of the header until it is complete and shows the delimiter.
  void take_header_piece(std::string_view piece) {
    if (is_blank(piece) && header_.empty()) return pass(piece);
    header_.emplace_back(piece);
    header_text_ += piece;
    if ((ends_line(piece.back()) && !ends_in_quotes(header_text_)) || header_text_.size() > longest_header)
      settle_delimiter();
  }

  void settle_delimiter() {
    if (const auto named = named_separator(header_text_); named && line_ == 1) return take_separator(*named);
    if (!delimiter_) delimiter_ = find_delimiter(header_text_);
    if (!delimiter_) {
      const std::string option = setting(how_, "delimiter", "semicolon");
      throw fault(
          builder_.at_line(line_),
          "the header contains more than one of comma, semicolon and tab outside quotes, so it is not "
          "clear which of them separates columns" +
              (option.empty() ? option : fmt::format("; set it with {} (or comma, or tab)", option)));
    }
    parser_.set_delimiter(*delimiter_);
    ready_ = true;
    for (const std::string& piece : std::exchange(header_, {})) take_piece(piece);
  }

  // The header follows in the next line.
  void take_separator(char named) {
    if (!delimiter_ && named != ',' && named != ';' && named != '\t')
      throw fault(builder_.at_line(line_),
                  fmt::format("the separator is {}, but only commas, semicolons and tabs are supported; save "
                              "the file with one of them",
                              shown(std::string_view(&named, 1))));
    if (!delimiter_) delimiter_ = named;
    for (const std::string& piece : std::exchange(header_, {})) pass(piece);
    header_text_.clear();
  }

  // A piece ends at the end of a line or of a block, so it completes at most one row.
  void take_piece(std::string_view piece) {
    if (std::exchange(between_rows_, false)) {
      row_line_ = line_;
      row_bytes_ = 0;
    }
    row_bytes_ += piece.size();
    if (row_bytes_ > longest_row)
      throw fault(builder_.at_line(row_line_),
                  "the row is longer than 64 MiB; a closing quote may be missing, or this is not a table");
    if (!parser_.take(piece, row_)) throw misplaced_quote();
    pass(piece);
    if (row_.complete) take_row();
  }

  // Counts lines. LF, CRLF and CR each end one.
  void pass(std::string_view piece) {
    const char c = piece.back(), before = piece.size() > 1 ? piece[piece.size() - 2] : last_;
    if (c == '\r' || (c == '\n' && before != '\r')) ++line_;
    last_ = c;
  }

  void take_row() {
    if (!row_.ends.empty()) {  // otherwise a blank line, or the LF of a CRLF
      if (builder_.names().size() == 0) {
        builder_.set_names(shape_.take_header(row_, row_line_));
      } else {
        take_cells();
      }
    }
    row_.clear();
    between_rows_ = true;
  }

  void take_cells() {
    if (!shape_.take(row_, row_line_, delimiter_word(*delimiter_))) return;
    builder_.begin_row(row_line_);
    for (std::size_t column = 0; column < shape_.columns(); ++column)
      if (builder_.reads(column)) builder_.take(column, row_.cell(shape_.place(column)));
    builder_.end_row();
  }

  // The place of the cell after those already read of this row.
  std::string at_next_cell() const {
    for (std::size_t column = 0; column < shape_.columns(); ++column)
      if (shape_.place(column) == row_.ends.size()) return builder_.at_cell(row_line_, column);
    return builder_.at_line(row_line_);
  }

  InputError misplaced_quote() const {
    return fault(
        line_ == row_line_
            ? at_next_cell()
            : fmt::format("{} (in the row that starts on line {})", builder_.at_line(line_), row_line_),
        builder_.names().size() == 0 && row_.ends.empty()
            ? "there is text after a quoted name; separate names and cells by commas, semicolons or tabs"
            : "a quote is in the wrong place; put the whole cell in quotes and double every quote inside it");
  }

  TableBuilder builder_;
  CsvParser parser_;
  RawRow row_;
  RowShape shape_;
  const ReadOptions& how_;
  std::optional<char> delimiter_;
  bool ready_ = false;               // the parser knows the delimiter
  std::vector<std::string> header_;  // lines collected so far
  std::string header_text_;          // all of them, joined
  std::uint64_t expected_bytes_ = 0;
  bool first_block_ = true, between_rows_ = true;
  std::size_t line_ = 1;  // of the next byte
  char last_ = '\0';
  std::size_t row_line_ = 1, row_bytes_ = 0;  // first line of the row in row_, and its length so far
};

}  // namespace

Table read_csv(ByteSource& source, std::string name, const TableOptions& columns, const ReadOptions& how) {
  CsvReader reader(std::move(name), columns, how);
  reader.expect(source.size());
  try {
    for (std::string_view block = source.next(); !block.empty(); block = source.next())
      reader.take_block(block);
  } catch (const InputError&) {
    source.check_rest();  // a damaged gzip file yields invalid rows: report the damage instead
    throw;
  }
  return reader.finish();
}

Table read_csv_part(const std::filesystem::path& file, const FilePart& part, const TableOptions& columns,
                    const ReadOptions& how) {
  CsvReader reader(file_name(file), columns, how);
  std::ifstream in(file, std::ios::binary);
  std::string block(2 * longest_header, '\0');
  const auto read = [&](std::uint64_t most) {
    in.read(block.data(), static_cast<std::streamsize>(std::min<std::uint64_t>(most, block.size())));
    return std::string_view(block).substr(0, static_cast<std::size_t>(in.gcount()));
  };
  const std::uint64_t header = reader.take_header(read(block.size()));
  const std::uint64_t begin = std::max(part.begin, header), end = std::max(part.end, header);
  if (begin > header) reader.jump_to(part.line);
  reader.expect(end - begin);
  in.clear();
  in.seekg(static_cast<std::streamoff>(begin));
  for (std::uint64_t at = begin; at < end;) {
    const std::string_view text = read(end - at);
    if (text.empty())
      throw InputError(
          fmt::format("{}: the file became shorter while it was being read; try again.", file_name(file)));
    reader.take_block(text);
    at += text.size();
  }
  return reader.finish();
}

Table parse_table(std::string name, std::string_view text, const TableOptions& columns,
                  const ReadOptions& how) {
  CsvReader reader(std::move(name), columns, how);
  if (!text.empty()) reader.take_block(text);
  return reader.finish();
}

}  // namespace tacit
