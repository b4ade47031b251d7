// The likelihood of all rows through landmarks (PooledPart::log_marginal_likelihood) and its slopes, as a sum
// of parts: one for each block of rows, and one that follows from the pooled part only.
//
// For p outputs the value is Σ_b log N(y_b; Φ_b'μ, Λ_b) − ½ [p log|I + A| + |μ|²].
//
// The slopes are ½ tr(W dC) for C = Φ'Φ + diag(Λ_b), α = C⁻¹y, W = αα' − pC⁻¹. C is K_bb + σ²I within a block
// and K_bZ K_ZZ⁻¹ K_Zc between blocks b and c. With P_b = K_ZZ⁻¹K_Zb = L⁻ᵀΦ_b it follows that
//   tr(W dC) = Σ_b [tr(W_bb dK_bb) + 2 tr((L⁻ᵀU_b − P_bW_bb)'dK_Zb) + tr(P_bW_bbP_b'dK_ZZ)]
//              − tr(L⁻ᵀ(μμ' − p(I − S))L⁻¹dK_ZZ),
// where a block needs only its own rows, S and μ:
//   α_b = Λ_b⁻¹(y_b − Φ_b'μ),  W_bb = α_bα_b' − p(Λ_b⁻¹ − Λ_b⁻¹Φ_b'SΦ_bΛ_b⁻¹),  U_b = μα_b' − pSΦ_bΛ_b⁻¹.
//
// Threads: any number of threads may call it.
// Errors: InputError or Error, as Expert::of does.
// Stopping: each call runs to its end; Committee::landmark_likelihood can be stopped between blocks.
#pragma once

#include "tacit/gp/expert/likelihood.hpp"
#include "tacit/gp/landmarks/landmark_sums.hpp"

namespace tacit {

/// Returns the part of a block, summed over outputs. The prior's kernel must be that of the landmarks, whose
/// positions are fixed. Throws as Expert::of does. Takes n³ + 6 n² m + 7 n m² operations in LAPACK and BLAS,
/// and one pass over the pairs among n rows and m landmarks; 24 n² + 8 m (5 n + 2 m) bytes for any number of
/// parameters.
Likelihood landmark_likelihood(const Matrix& inputs, const Matrix& outputs, const Prior& prior,
                               const PooledPart& pooled);

/// Returns the part that does not depend on rows. O(m³).
Likelihood landmark_likelihood(const Prior& prior, const PooledPart& pooled);

}  // namespace tacit
