// The likelihood of all rows seen through landmarks (PooledPart::log_marginal_likelihood) in parts that add
// up, with its slopes: one part for each block of rows, and one that follows from the pooled part alone.
//
// For p outputs, w = μ and C = Φ'Φ + diag(Λ_b) the value is
//   Σ_b log N(y_b; Φ_b'μ, Λ_b) − ½ [p log|I + A| + |μ|²].
// With W = αα' − p C⁻¹ and α = C⁻¹y the slopes are ½ tr(W dC); K_bb, K_Zb and K_ZZ each have weights in it
// that need no more than the block's own rows, S and μ. docs/models.md has the mathematics.
#pragma once

#include "tacit/gp/landmark_sums.hpp"
#include "tacit/gp/likelihood.hpp"

namespace tacit {

/// A block's part, summed over outputs. The prior's kernel is that of the landmarks, which stay where they
/// are. Throws as Expert::fit does. n³ + 3 n² m + 5 n m² operations in LAPACK and BLAS, and a pass over the
/// pairs among n rows and m landmarks; 16 n² + 8 m (4 n + m) bytes whatever the number of parameters.
Likelihood landmark_likelihood(const Matrix& inputs, const Matrix& outputs, const Prior& prior,
                               const PooledPart& pooled);

/// The part without rows. O(m³).
Likelihood landmark_likelihood(const Prior& prior, const PooledPart& pooled);

}  // namespace tacit
