#include "tacit/lab/study/parties/streamed_rows.hpp"

#include <algorithm>

#include "tacit/table/cells/one_hot.hpp"

namespace tacit {
namespace {

// The place of a column's cell in a stored row, and the matrix columns it becomes.
struct Cell {
  std::size_t slot;
  Index first;                               // its first column in the matrix
  std::vector<std::uint32_t> level_of_word;  // empty for a number
  Index levels;
};

using Cells = std::vector<Cell>;

Cells cells_of(const Table& table, const std::vector<DataColumn>& columns) {
  Cells cells;
  Index at = 0;
  for (const DataColumn& column : columns) {
    Cell& cell =
        cells.emplace_back(Cell{table.slot(column.name), at, {}, static_cast<Index>(column.levels.size())});
    if (!column.levels.empty()) cell.level_of_word = level_of_words(table, column.name, column.levels);
    at += std::max<Index>(1, cell.levels);
  }
  return cells;
}

void fill(Matrix& into, Index row, const Cells& cells, const double* numbers) {
  for (const Cell& cell : cells) {
    const double number = numbers[cell.slot];
    if (cell.level_of_word.empty()) {
      into(row, cell.first) = number;
    } else {
      into.row(row).segment(cell.first, cell.levels).setZero();
      into(row, cell.first + cell.level_of_word[static_cast<std::size_t>(number)]) = 1;
    }
  }
}

Index width(const std::vector<DataColumn>& columns) {
  Index sum = 0;
  for (const DataColumn& column : columns)
    sum += std::max<Index>(1, static_cast<Index>(column.levels.size()));
  return sum;
}

class StreamedRows final : public RowReader {
 public:
  StreamedRows(const std::vector<Table>& tables, const std::vector<DataColumn>& inputs,
               const std::vector<DataColumn>& outputs)
      : inputs_(width(inputs)), outputs_(width(outputs)) {
    for (const Table& table : tables) {
      parts_.push_back(Part{rows_, *table.streamed(), cells_of(table, inputs), cells_of(table, outputs)});
      rows_ += table.rows();
    }
  }

  std::size_t rows() const override { return rows_; }
  Index inputs() const override { return inputs_; }
  Index outputs() const override { return outputs_; }
  bool in_memory() const override { return false; }

  // Adjacent rows are read in one call.
  void read(std::span<const Index> which, Matrix& inputs, Matrix& outputs) const override {
    inputs.resize(static_cast<Index>(which.size()), inputs_);
    outputs.resize(inputs.rows(), outputs_);
    std::vector<double> numbers;
    for (std::size_t done = 0; done < which.size();) {
      const auto row = static_cast<std::size_t>(which[done]);
      const Part& part = part_of(row);
      const std::size_t most = std::min(end_of(part) - row, which.size() - done);
      std::size_t count = 1;
      while (count < most && which[done + count] == which[done + count - 1] + 1) ++count;
      part.cells.read(row - part.first, count, numbers);
      for (std::size_t k = 0; k < count; ++k, ++done) {
        const double* one = numbers.data() + k * part.cells.width();
        fill(inputs, static_cast<Index>(done), part.inputs, one);
        fill(outputs, static_cast<Index>(done), part.outputs, one);
      }
    }
  }

 private:
  struct Part {  // of one table
    std::size_t first;
    StreamedCells cells;
    Cells inputs, outputs;
  };

  const Part& part_of(std::size_t row) const {
    const auto after = std::ranges::upper_bound(parts_, row, {}, &Part::first);
    return *std::prev(after);
  }
  std::size_t end_of(const Part& part) const { return &part == &parts_.back() ? rows_ : (&part + 1)->first; }

  Index inputs_, outputs_;
  std::size_t rows_ = 0;
  std::vector<Part> parts_;
};

}  // namespace

std::shared_ptr<const RowReader> streamed_rows(const std::vector<Table>& tables,
                                               const std::vector<DataColumn>& inputs,
                                               const std::vector<DataColumn>& outputs) {
  return std::make_shared<const StreamedRows>(tables, inputs, outputs);
}

Samples samples_of(const RowReader& source) {
  Samples all;
  read_all(source, all.inputs, all.outputs);
  return all;
}

}  // namespace tacit
