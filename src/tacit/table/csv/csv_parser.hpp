// Wraps the parser of libcsv, which takes text in pieces and calls back for each cell and each end of a row.
#pragma once

#include <csv.h>

#include <exception>
#include <new>
#include <string>
#include <string_view>
#include <vector>

namespace tacit {

/// The cells of one row as libcsv found them, concatenated.
struct RawRow {
  std::string text;
  std::vector<std::size_t> ends;
  bool complete = false;
  std::exception_ptr failure;  ///< kept here because exceptions must not pass through libcsv

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

class CsvParser {
 public:
  CsvParser() {
    csv_init(&state_, CSV_STRICT | CSV_STRICT_FINI | CSV_REPALL_NL);
    csv_set_blk_size(&state_, std::size_t{1} << 16);
  }
  ~CsvParser() { csv_free(&state_); }
  CsvParser(const CsvParser&) = delete;
  CsvParser& operator=(const CsvParser&) = delete;

  void set_delimiter(char delimiter) { csv_set_delim(&state_, static_cast<unsigned char>(delimiter)); }

  /// Returns whether the quotes are well formed: `take` checks one piece, `finish` the whole text.
  bool take(std::string_view piece, RawRow& row) {
    return check(csv_parse(&state_, piece.data(), piece.size(), on_cell, on_row_end, &row) == piece.size(),
                 row);
  }
  bool finish(RawRow& row) { return check(csv_fini(&state_, on_cell, on_row_end, &row) == 0, row); }

 private:
  static void on_cell(void* data, std::size_t size, void* row) {
    auto& raw = *static_cast<RawRow*>(row);
    try {
      raw.text.append(static_cast<const char*>(data), size);
      raw.ends.push_back(raw.text.size());
    } catch (...) {
      raw.failure = std::current_exception();
    }
  }
  static void on_row_end(int, void* row) { static_cast<RawRow*>(row)->complete = true; }

  bool check(bool parsed, const RawRow& row) {
    if (row.failure) std::rethrow_exception(row.failure);
    if (!parsed && csv_error(&state_) != CSV_EPARSE) throw std::bad_alloc();
    return parsed;
  }

  csv_parser state_{};
};

}  // namespace tacit
