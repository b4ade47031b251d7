// Points in the memory layout of the tiles in tile.hpp.
#pragma once

#include <algorithm>
#include <vector>

#include "tacit/gp/kernel/tile.hpp"
#include "tacit/gp/matrix.hpp"

namespace tacit {

/// A copy of a matrix of points in aligned blocks of 16 rows. Within a block, dimension follows dimension.
/// The last block is padded with zeros. O(rows x dimensions).
class PackedRows {
 public:
  explicit PackedRows(const MatrixView& points);

  Index rows() const { return rows_; }
  Index dimensions() const { return dimensions_; }
  Index blocks() const { return (rows_ + tile_side - 1) / tile_side; }

  /// Returns the 16 points from row block * 16 on.
  const double* block(Index block) const { return lines_[block * dimensions_].at; }
  /// Returns how many of these are points, not padding.
  Index block_rows(Index block) const { return std::min<Index>(tile_side, rows_ - block * tile_side); }

 private:
  struct alignas(64) Line {
    double at[tile_side];
  };
  Index rows_;
  Index dimensions_;
  std::vector<Line> lines_;
};

}  // namespace tacit
