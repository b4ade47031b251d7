// The cells of a file that cannot be used, summed up by column and by what is wrong, so that one error says
// all of it. Only the first places are kept, however many there are.
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

/// What is wrong with cells, without their values.
struct CellFault {
  std::string one;        ///< of one cell: "is not a number"
  std::string many;       ///< of several: "are not numbers"
  std::string cure = {};  ///< what to do: "correct the file"; may be empty
  /// More about the values, for their owner alone: "the column goes from 3 to 213"; may be empty.
  std::string seen = {};
};

/// One sentence, or a line for each column. `quietly` is one line without any cell's value, for logs.
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
  /// `row_word` is what a place in the file is called: "line", or "row".
  explicit BadCells(std::string file, std::string row_word = "line")
      : file_(std::move(file)), row_word_(std::move(row_word)) {}

  void add(std::string_view column, std::size_t line, std::string_view value, const CellFault& fault);

  /// What another process has found further down in the same file (ranks/). Of another file nothing is added.
  void add(const BadCells& further);
  void write(SavedWriter& out) const;
  static BadCells read(SavedReader& in);

  std::size_t count() const { return count_; }
  bool empty() const { return count_ == 0; }

  /// A sentence that begins with the file for each column and fault, as an agent's log or a report has them.
  std::vector<std::string> sentences(bool with_values) const;

  /// All of it: one sentence, or a line with the number of cells and a line for each column and fault.
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
  std::map<std::string, std::vector<std::size_t>, std::less<>> by_column_;  // places in groups_
  std::size_t count_ = 0;
};

}  // namespace tacit
