// Builds a table from the cells of a file, whatever its format. Decides which cells are read, which are
// missing and which rows are kept. For the readers of files only.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "tacit/base/error.hpp"
#include "tacit/table/cells/bad_cells.hpp"
#include "tacit/table/read_options.hpp"
#include "tacit/table/table.hpp"

namespace tacit {

class TableBuilder {
 public:
  /// `row_word` is the word for a place in the file in messages: "line" or "row". The options must outlive
  /// this object.
  TableBuilder(std::string name, const char* row_word, const TableOptions& columns, const ReadOptions& how);

  const std::string& name() const { return table_.name_; }
  const ColumnNames& names() const { return table_.names_; }

  /// Sets the columns of the file; called once, before any cell. Parts of dates get the places after them.
  /// Throws InputError if a requested column does not exist.
  void set_names(ColumnNames names);
  bool reads(std::size_t place) const {
    return uses_[place].number || uses_[place].text || uses_[place].id || uses_[place].date;
  }
  void reserve(std::size_t rows);

  /// Adds a note for the user about something that was left out.
  void note(std::string text) { table_.notes_.push_back(std::move(text)); }

  /// Take the cells of a row that are read, then its end. A cell with an invalid value, or a missing cell
  /// where none is allowed, is remembered for the error at the end.
  void begin_row(std::size_t line) { line_ = line; }
  void take(std::size_t place, std::string_view cell);
  void take(std::size_t place, double number);  ///< NaN is missing
  void end_row();

  std::size_t rows() const { return table_.rows_; }

  /// Returns the table. Throws BadCellsError with all bad cells, unless their rows are kept. Throws
  /// InputError if no row is left.
  Table finish();

  std::string at_line(std::size_t line) const;
  std::string at_cell(std::size_t line, std::size_t place) const;

 private:
  struct Use {
    bool number = false, text = false, id = false, fixed = false;
    bool text_stays = true;                // in memory
    std::optional<std::size_t> date = {};  // index into dates_
    std::vector<std::string> levels;       // declared; never treated as missing
    std::vector<std::string> missing;      // in addition to the words that mean missing in every column
    std::size_t misses = 0;
    double number_now = 0;
    std::string text_now;  // of the current row; empty if missing
    std::string id_now;
  };
  struct Date {
    double start = 0;
    std::vector<std::pair<std::size_t, std::string>> parts = {};  // places, and the part stored there
  };
  void require(std::vector<std::string> wanted) const;
  void add_dates(std::span<const std::string> wanted);
  bool misses(const Use& use, std::string_view cell) const;
  void note_missing(std::size_t place, std::string_view cell);
  void refuse(std::size_t place, std::string_view cell, const CellFault& fault);
  void take_date(std::size_t place, std::string_view cell);
  void take_number(std::size_t place, std::string_view cell);
  void begin_streaming();
  void keep_number(std::size_t place, double number);
  InputError nothing_left() const;

  const TableOptions& columns_;
  const ReadOptions& how_;
  Table table_;
  std::vector<Use> uses_;  // by place
  std::vector<Date> dates_;
  BadCells bad_;
  std::vector<double> streamed_now_;  // the current row, for the scratch file
  std::size_t line_ = 0;
  bool row_is_bad_ = false;
};

}  // namespace tacit
