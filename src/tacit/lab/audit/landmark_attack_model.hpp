// The opened sums over landmarks and their derivatives, as functions of the rows.
//
// A row holds its inputs and then its target. The opened numbers are the lower triangle of A, column by
// column, and then a (gp/landmarks/landmark_sums.hpp).
#pragma once

#include <vector>

#include "tacit/gp/landmarks/landmark_sums.hpp"

namespace tacit {

class OpenedNumbers {
 public:
  /// Blocks are consecutive rows; each is the expert of another agent. Throws InputError for a block without
  /// rows.
  OpenedNumbers(Landmarks landmarks, const Prior& prior, std::vector<Index> block_rows);

  const Landmarks& landmarks() const { return landmarks_; }
  Index rows() const { return rows_; }
  Index columns() const { return landmarks_.dimensions() + 1; }
  Index held() const { return rows_ * columns(); }                                    ///< n(d+1)
  Index opened() const { return landmarks_.count() * (landmarks_.count() + 3) / 2; }  ///< m(m+3)/2
  Index blocks() const { return static_cast<Index>(block_rows_.size()); }

  /// The opened numbers if the agent of each block rounds its part to multiples of `unit`; 0 for no rounding.
  Vector of(const Matrix& rows, double unit = 0) const;

  /// The derivative of each opened number by each number in the rows, row after row. Takes O(n m (n + m) d)
  /// for n rows and m landmarks.
  Matrix slopes(const Matrix& rows) const;
  /// The derivative of a by the targets, landmarks x rows. A does not depend on the targets.
  Matrix target_slopes(const Matrix& rows) const;

 private:
  struct Block;
  Block block(const Matrix& rows) const;
  void add_block_slopes(const Matrix& rows, Index first, Eigen::Ref<Matrix> slopes) const;

  Landmarks landmarks_;
  Prior prior_;
  std::vector<Index> block_rows_;
  Index rows_ = 0;
};

}  // namespace tacit
