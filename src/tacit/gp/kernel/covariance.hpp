// Covariance matrices of composed kernels, and their derivatives, computed tile by tile.
#pragma once

#include <vector>

#include "tacit/gp/expert/prior.hpp"
#include "tacit/gp/kernel/packed_rows.hpp"

namespace tacit {

/// Points prepared for the evaluation of a kernel. The kernel's ARD leaves must have one length-scale for
/// each column of the points (Kernel::for_inputs).
class PreparedPoints {
 public:
  PreparedPoints(const MatrixView& points, const Kernel& kernel);

  Index rows() const { return plain_.rows(); }
  Index dimensions() const { return plain_.dimensions(); }
  Index blocks() const { return plain_.blocks(); }
  Index block_rows(Index block) const { return plain_.block_rows(block); }
  /// Returns the 16 points from row block * 16 on, in the form that the leaf needs.
  const double* block(std::size_t leaf, Index block) const {
    return (turned_[leaf] ? turns_[turned_[leaf] - 1] : plain_).block(block);
  }
  const PackedRows& plain() const { return plain_; }

 private:
  PackedRows plain_;
  std::vector<PackedRows> turns_;    // for periodic leaves: cos a / l, sin a / l, a with a = 2 pi x / period
  std::vector<std::size_t> turned_;  // by leaf: 0, or 1 + its index in turns_
};

/// Computes tiles of a kernel's covariance. Not thread-safe: each thread needs its own object. It refers to
/// the kernel, which must outlive it.
class TileKernel {
 public:
  explicit TileKernel(const Kernel& kernel);

  /// Returns the kernel between two blocks of points. Rows past the end of the points have meaningless
  /// values.
  const Tile& values(const PreparedPoints& a, Index row_block, const PreparedPoints& b, Index column_block);

  /// For the tile last computed, adds the sum over pairs of weight · dk / d log parameter to `sums`, which
  /// has one entry for each parameter of the kernel.
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

/// Writes the covariance between `rows` and the points from row `first` on to `out`, which has a column for
/// each of these points. `first` must be a multiple of 16. Arguments are not checked.
void cross_covariance(const PreparedPoints& rows, const PreparedPoints& points, Index first,
                      const Kernel& kernel, Eigen::Ref<Matrix> out);

/// Writes the lower triangle of K + sigma^2 I (posterior) to `out`. The upper triangle is unchanged.
/// Arguments are not checked.
void noisy_covariance_lower(const PreparedPoints& rows, const Prior& prior, Eigen::Ref<Matrix> out);

}  // namespace tacit
