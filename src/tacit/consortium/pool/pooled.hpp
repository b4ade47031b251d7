// The pooled part of a model over a secure sum: A and a of gp/landmarks/landmark_sums.hpp, added up over all
// agents and opened once.
#pragma once

#include <memory>
#include <vector>

#include "tacit/consortium/secure_sum.hpp"
#include "tacit/gp/landmarks/landmark_sums.hpp"

namespace tacit {

/// What is public beforehand.
struct PooledFacts {
  std::size_t agents = 0;
  std::size_t landmarks = 0;
  std::size_t outputs = 1;
  std::size_t priors = 1;   ///< outputs that share one share A
  std::size_t rows = 0;     ///< the most rows an agent has
  double prior_high = 0;    ///< k(x,x) ≤ this
  double noise = 0;         ///< the least σ_ε
  double output_max = 0;    ///< |y| ≤ this
  double output_usual = 0;  ///< what |y| is for most rows, or a bound on it
};

/// Totals for one prior.
struct PooledTotals {
  Matrix precision;  ///< A, both triangles
  Matrix weighted;   ///< a, landmarks × its outputs
};

/// The unit of the sum: as coarse as it may be for the rounding to move hardly any prediction by more than a
/// hundredth of its standard deviation. Roundings of M agents make errors E in A and e in a whose entries
/// have the deviation s = unit √(M/12). They move the mean at x by φ'S(e − Eμ), in standard deviations
/// √(φ'Sφ) at most by v'S^½(e − Eμ) with |v| = 1, whose deviation is at most s √(1 + |μ|²), and |μ|² is m or
/// less when the prior is right, m r² when targets are r times as large as it says. Four of these are kept
/// below a hundredth. A power of two: totals are exact.
double pooled_unit(std::size_t agents, std::size_t landmarks, double ratio = 1);

/// Why the bound holds: Λ_b ≥ σ² I and |φ(x)|² ≤ k(x,x), so with u_j the j-th row of Φ |A_ij| ≤
/// |u_i||u_j|/σ² ≤ n k/σ², and |a_j| ≤ |u_j||y|/σ² ≤ n √k y_max/σ².
SumShape pooled_sum(const PooledFacts& facts);

/// The square of |μ| is at most this for sums of n rows: μ'(I+A)μ = a'(I+A)⁻¹a ≤ Σ y'Λ⁻¹y ≤ n y_max²/σ².
double most_weight_square(double rows, double output_max, double noise);

/// One agent's side, with its sums prior by prior. The order in the vector is A's lower triangle column by
/// column, then a. References must outlive the task.
Task<std::vector<PooledTotals>> pool_privately(Channel& net, const SecureSum& secure_sum,
                                               const PooledFacts& facts,
                                               const std::vector<LandmarkSums>& mine);

}  // namespace tacit
