// The matrix types: column-major Eigen matrices with one row per point and one column per input or output.
//
// Threads: plain values.
// Errors: nothing of its own.
// Stopping: nothing here takes long.
#pragma once

#include <Eigen/Core>

namespace tacit {

using Matrix = Eigen::MatrixXd;
using Vector = Eigen::VectorXd;
using Index = Eigen::Index;

/// A view of a caller's matrix in row-major or column-major order, without a copy.
using MatrixView = Eigen::Ref<const Matrix, 0, Eigen::Stride<Eigen::Dynamic, Eigen::Dynamic>>;

}  // namespace tacit
