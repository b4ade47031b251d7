// The matrices of this room: column-major, one row per point, one column per input dimension or output.
#pragma once

#include <Eigen/Core>

namespace tacit {

using Matrix = Eigen::MatrixXd;
using Vector = Eigen::VectorXd;
using Index = Eigen::Index;

}  // namespace tacit
