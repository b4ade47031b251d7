// The opened sums over landmarks as functions of the rows they were made from, and their slopes.
//
// Rows have their inputs first and their target last. The numbers are the lower triangle of A, column by
// column, then a (gp/landmarks/landmark_sums.hpp).
#pragma once

#include <vector>

#include "tacit/gp/landmarks/landmark_sums.hpp"

namespace tacit {

class OpenedNumbers {
 public:
  /// Blocks follow each other in the list of rows; each is an expert of an agent of its own. Throws
  /// InputError for a block without rows.
  OpenedNumbers(Landmarks landmarks, const Prior& prior, std::vector<Index> block_rows);

  const Landmarks& landmarks() const { return landmarks_; }
  Index rows() const { return rows_; }
  Index columns() const { return landmarks_.dimensions() + 1; }
  Index held() const { return rows_ * columns(); }                                    ///< n(d+1)
  Index opened() const { return landmarks_.count() * (landmarks_.count() + 3) / 2; }  ///< m(m+3)/2
  Index blocks() const { return static_cast<Index>(block_rows_.size()); }

  /// What is opened when every block's agent rounds its part to multiples of `unit`; 0 for no rounding.
  Vector of(const Matrix& rows, double unit = 0) const;

  /// Of every opened number, by what rows hold: row after row. O(n m (n + m) d) for n rows, m landmarks.
  Matrix slopes(const Matrix& rows) const;
  /// Of a by the targets, landmarks x rows, which is all that targets change.
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
