// Where one party's rows come from: memory, or somewhere that gives some of them at a time.
#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <span>
#include <vector>

#include "tacit/gp/matrix.hpp"

namespace tacit {

class RowReader {
 public:
  virtual ~RowReader() = default;
  virtual std::size_t rows() const = 0;
  virtual Index inputs() const = 0;   ///< columns
  virtual Index outputs() const = 0;  ///< columns

  /// These rows, in this order. May be called by several threads at a time.
  virtual void read(std::span<const Index> which, Matrix& inputs, Matrix& outputs) const = 0;

  /// Whether all rows are in memory anyway.
  virtual bool in_memory() const { return false; }
};

/// Rows in memory, to which it holds references.
std::shared_ptr<const RowReader> rows_in_memory(const Matrix& inputs, const Matrix& outputs);

/// Some rows of another source, in this order.
std::shared_ptr<const RowReader> some_rows(std::shared_ptr<const RowReader> of, std::vector<Index> which);

/// Calls visit(inputs, outputs) for all rows in order, some thousands at a time.
void for_each_piece(const RowReader& source, const std::function<void(const Matrix&, const Matrix&)>& visit);

/// All rows, into memory.
void read_all(const RowReader& source, Matrix& inputs, Matrix& outputs);

}  // namespace tacit
