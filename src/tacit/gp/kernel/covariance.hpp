// Covariance matrices of composed kernels and their derivatives, tile by tile.
#pragma once

#include <vector>

#include "tacit/gp/expert/prior.hpp"
#include "tacit/gp/kernel/packed_rows.hpp"

namespace tacit {

/// Points prepared for a kernel, whose ARD leaves must have one length-scale for each column of the points.
class PreparedPoints {
 public:
  PreparedPoints(const MatrixView& points, const Kernel& kernel);

  Index rows() const { return plain_.rows(); }
  Index dimensions() const { return plain_.dimensions(); }
  Index blocks() const { return plain_.blocks(); }
  Index block_rows(Index block) const { return plain_.block_rows(block); }
  /// What the leaf sees of the 16 points from row block * 16 on.
  const double* block(std::size_t leaf, Index block) const {
    return (turned_[leaf] ? turns_[turned_[leaf] - 1] : plain_).block(block);
  }
  const PackedRows& plain() const { return plain_; }

 private:
  PackedRows plain_;
  std::vector<PackedRows> turns_;    // cos a / l, sin a / l, a with a = 2 pi x / period, of periodic leaves
  std::vector<std::size_t> turned_;  // by leaf: 0, or 1 + its place among those
};

/// Computes tiles of a kernel. Each thread needs its own.
class TileKernel {
 public:
  explicit TileKernel(const Kernel& kernel);

  /// The kernel between a block of points and another. Rows past the end give meaningless values.
  const Tile& values(const PreparedPoints& a, Index row_block, const PreparedPoints& b, Index column_block);

  /// Adds to sums, one for each parameter of the kernel, the sum over pairs of weight dk / d log parameter,
  /// for the tile last computed.
  void add_slopes(const Tile& weights, double* sums);

 private:
  struct LeafState {
    std::vector<double> weights;  // 1 / l^2 of ARD
    double scale = 1;
    std::size_t first_parameter = 0;
    Tile squares, slope, extra_slope;
    TilePoints points;
  };
  void evaluate(const Kernel::Leaf& leaf, LeafState& state, Tile& value);
  void add_leaf_slopes(const Kernel::Leaf& leaf, LeafState& state, const Tile& weights, const Tile& value,
                       double* sums);

  const Kernel& kernel_;
  std::vector<LeafState> leaves_;
  std::vector<Tile> values_;   // by node
  std::vector<Tile> weights_;  // by node
  std::vector<double> sums_;   // by dimension
  Tile product_;
};

/// As `covariance`, for the points from row `first` on, as many as `out` has columns. `first` is a multiple
/// of 16. Unchecked.
void cross_covariance(const PreparedPoints& rows, const PreparedPoints& points, Index first,
                      const Kernel& kernel, Eigen::Ref<Matrix> out);

/// Writes the lower triangle of K + sigma^2 I (posterior), leaving the upper as it is. Unchecked.
void noisy_covariance_lower(const PreparedPoints& rows, const Prior& prior, Eigen::Ref<Matrix> out);

}  // namespace tacit
