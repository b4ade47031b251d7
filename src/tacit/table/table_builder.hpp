// Makes a table of cells as they come from a file of whatever format: which are read, which are missing,
// which rows stay. For readers of files only.
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
  /// `row_word` is what messages call a place in the file: "line", or "row". Options must outlive it.
  TableBuilder(std::string name, const char* row_word, const TableOptions& columns, const ReadOptions& how);

  const std::string& name() const { return table_.name_; }
  const ColumnNames& names() const { return table_.names_; }

  /// The columns of the file, once, before any cell; parts of dates get places after them. Throws InputError
  /// for a column that is asked for and not there.
  void set_names(ColumnNames names);
  bool reads(std::size_t place) const {
    return uses_[place].number || uses_[place].text || uses_[place].id || uses_[place].date;
  }
  void reserve(std::size_t rows);

  /// Something that was passed over, for people.
  void note(std::string text) { table_.notes_.push_back(std::move(text)); }

  /// The cells of a row that are read; then its end. A cell that cannot be what it should be, or is missing
  /// where that is refused, is kept for the error at the end.
  void begin_row(std::size_t line) { line_ = line; }
  void take(std::size_t place, std::string_view cell);
  void take(std::size_t place, double number);  ///< NaN is missing
  void end_row();

  std::size_t rows() const { return table_.rows_; }

  /// Throws BadCellsError that sums up all bad cells, unless their rows are kept, or InputError when no row
  /// is left.
  Table finish();

  std::string at_line(std::size_t line) const;
  std::string at_cell(std::size_t line, std::size_t place) const;

 private:
  struct Use {
    bool number = false, text = false, id = false, fixed = false;
    bool text_stays = true;                // in memory
    std::optional<std::size_t> date = {};  // in dates_
    std::vector<std::string> levels;       // declared: never missing
    std::vector<std::string> missing;      // besides what is missing everywhere
    std::size_t misses = 0;
    double number_now = 0;
    std::string text_now;  // of the row at hand; empty when missing
    std::string id_now;
  };
  struct Date {
    double start = 0;
    std::vector<std::pair<std::size_t, std::string>> parts = {};  // places, and what goes there
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
  std::vector<double> streamed_now_;  // the row at hand, for the scratch file
  std::size_t line_ = 0;
  bool row_is_bad_ = false;
};

}  // namespace tacit
