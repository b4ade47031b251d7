// Sources of one party's rows: memory, or storage that is read in parts.
//
// Threads: any number of threads may read from a source.
// Errors: what reading the source throws; Error or InputError for a file.
// Stopping: each call runs to its end.
#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <span>
#include <vector>

#include "tacit/gp/matrix.hpp"

namespace tacit {

/// A source of rows.
class RowReader {
 public:
  virtual ~RowReader() = default;
  virtual std::size_t rows() const = 0;
  virtual Index inputs() const = 0;   ///< columns
  virtual Index outputs() const = 0;  ///< columns

  /// Reads the rows with these numbers, in this order. Thread-safe.
  virtual void read(std::span<const Index> which, Matrix& inputs, Matrix& outputs) const = 0;

  /// Returns whether all rows are in memory.
  virtual bool in_memory() const { return false; }
};

/// Returns a source of rows in memory. It holds references to the matrices.
std::shared_ptr<const RowReader> rows_in_memory(const Matrix& inputs, const Matrix& outputs);

/// Returns a source of some rows of another source, in this order.
std::shared_ptr<const RowReader> some_rows(std::shared_ptr<const RowReader> of, std::vector<Index> which);

/// Calls visit(inputs, outputs) for all rows in order, some thousands of rows at a time.
void for_each_piece(const RowReader& source, const std::function<void(const Matrix&, const Matrix&)>& visit);

/// Reads all rows into memory.
void read_all(const RowReader& source, Matrix& inputs, Matrix& outputs);

}  // namespace tacit
