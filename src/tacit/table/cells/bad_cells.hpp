// Collects the unusable cells of a file by column and fault, so that one error reports them all. Keeps only
// the first places of each group.
#pragma once

#include <cstddef>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "tacit/base/error.hpp"

namespace tacit {

class BadCells;
class SavedReader;
class SavedWriter;

/// Describes a fault without the cells' values.
struct CellFault {
  std::string one;        ///< for one cell: "is not a number"
  std::string many;       ///< for several cells: "are not numbers"
  std::string cure = {};  ///< what to do: "correct the file"; may be empty
  /// Details that reveal values, shown only to their owner: "the column goes from 3 to 213"; may be empty.
  std::string seen = {};
};

/// The text is one sentence, or one line for each column and fault. `quietly` is one line without the values
/// of cells, for logs.
class BadCellsError : public InputError {
 public:
  BadCellsError(const std::string& text, std::string quietly, std::shared_ptr<const BadCells> cells)
      : InputError(text), quietly_(std::move(quietly)), cells_(std::move(cells)) {}
  const std::string& quietly() const { return quietly_; }
  const BadCells& cells() const { return *cells_; }

 private:
  std::string quietly_;
  std::shared_ptr<const BadCells> cells_;
};

class BadCells {
 public:
  /// `row_word` is the word for a place in the file: "line" or "row".
  explicit BadCells(std::string file, std::string row_word = "line")
      : file_(std::move(file)), row_word_(std::move(row_word)) {}

  void add(std::string_view column, std::size_t line, std::string_view value, const CellFault& fault);

  /// Adds what another process found further down in the same file (ranks/). Ignores other files.
  void add(const BadCells& further);
  void write(SavedWriter& out) const;
  static BadCells read(SavedReader& in);

  std::size_t count() const { return count_; }
  bool empty() const { return count_ == 0; }

  /// Returns one sentence for each column and fault, each with the file's name, for logs and reports.
  std::vector<std::string> sentences(bool with_values) const;

  /// Returns the whole text: one sentence, or a line with the number of cells and one line for each column
  /// and fault.
  std::string text(bool with_values = true) const;

  /// Throws BadCellsError if there are any.
  void refuse_any() const;

 private:
  struct Place {
    std::size_t line;
    std::string value;
  };
  struct Group {
    std::string column;
    CellFault fault;
    std::size_t count;
    std::vector<Place> first;
  };
  Group& group_of(std::string_view column, const CellFault& fault);
  std::string sentence(const Group& group, bool with_file, bool with_values) const;

  std::string file_, row_word_;
  std::vector<Group> groups_;                                               // in order of appearance
  std::map<std::string, std::vector<std::size_t>, std::less<>> by_column_;  // indices into groups_
  std::size_t count_ = 0;
};

}  // namespace tacit
