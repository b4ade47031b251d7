#include "tacit/gp/kernel/packed_rows.hpp"

namespace tacit {

PackedRows::PackedRows(const MatrixView& points)
    : rows_(points.rows()), dimensions_(points.cols()), lines_(blocks() * dimensions_) {
  for (Index k = 0; k < dimensions_; ++k) {
    const double* next = points.col(k).data();
    for (Index b = 0; b < blocks(); ++b)
      for (Index r = 0; r < block_rows(b); ++r, next += points.innerStride())
        lines_[b * dimensions_ + k].at[r] = *next;
  }
}

}  // namespace tacit
