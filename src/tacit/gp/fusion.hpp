// How several experts' predictions become one.
#pragma once

#include <span>

#include "tacit/gp/matrix.hpp"

namespace tacit {

/// A fused prediction, points x outputs.
struct Fused {
  Matrix mean;
  Matrix variance;
};

/// Product of experts (DGPR): precisions 1 / V_i(x) add up, and weigh the means. Element i of both lists is
/// expert i's, points x outputs; variances may have a single column, which then serves all outputs, as
/// `Posterior` has it.
///
/// Throws InputError, naming expert, row and column, if lists or shapes differ, a mean is not finite, or a
/// variance is not positive with a finite inverse. O(experts x points x outputs).
Fused fuse_poe(std::span<const Matrix> means, std::span<const Matrix> variances);

}  // namespace tacit
