// The matrices of this room: column-major, one row per point, one column per input dimension or output.
#pragma once

#include <Eigen/Core>

namespace tacit {

using Matrix = Eigen::MatrixXd;
using Vector = Eigen::VectorXd;
using Index = Eigen::Index;

/// Somebody else's numbers in whatever order they lie, by rows or by columns, without a copy.
using MatrixView = Eigen::Ref<const Matrix, 0, Eigen::Stride<Eigen::Dynamic, Eigen::Dynamic>>;

}  // namespace tacit
