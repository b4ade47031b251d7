#include "tacit/gp/kernel/packed_rows.hpp"

#include <algorithm>

namespace tacit {

PackedRows::PackedRows(const Matrix& points)
    : rows_(points.rows()), dimensions_(points.cols()), lines_(blocks() * dimensions_) {
  for (Index k = 0; k < dimensions_; ++k) {
    const double* const column = points.col(k).data();
    for (Index b = 0; b < blocks(); ++b)
      std::copy_n(column + b * tile_side, block_rows(b), lines_[b * dimensions_ + k].at);
  }
}

}  // namespace tacit
