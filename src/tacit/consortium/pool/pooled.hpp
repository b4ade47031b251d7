// The pooled part of a model by a secure sum: A and a of gp/landmarks/landmark_sums.hpp, added over all
// agents and opened once.
#pragma once

#include <memory>
#include <vector>

#include "tacit/consortium/secure_sum.hpp"
#include "tacit/gp/landmarks/landmark_sums.hpp"

namespace tacit {

/// The facts that are public before the sum.
struct PooledFacts {
  std::size_t agents = 0;
  std::size_t landmarks = 0;
  std::size_t outputs = 1;
  std::size_t priors = 1;   ///< distinct priors; outputs with the same prior share A
  std::size_t rows = 0;     ///< the maximum number of rows of an agent
  double prior_high = 0;    ///< k(x,x) ≤ this
  double noise = 0;         ///< the smallest σ_ε
  double output_max = 0;    ///< |y| ≤ this
  double output_usual = 0;  ///< typical |y|, or a bound on it
};

/// Totals for one prior.
struct PooledTotals {
  Matrix precision;  ///< A, both triangles
  Matrix weighted;   ///< a, landmarks × its outputs
};

/// Returns the unit of the sum: the coarsest one with which rounding moves hardly any prediction by more than
/// a hundredth of its standard deviation. The roundings of M agents cause errors E in A and e in a, whose
/// entries have the deviation s = unit √(M/12). They move the mean at x by φ'S(e − Eμ). In standard
/// deviations √(φ'Sφ), this is at most v'S^½(e − Eμ) with |v| = 1, whose deviation is at most s √(1 + |μ|²).
/// |μ|² is at most m if the prior is correct, and m r² if targets are r times as large as the prior states.
/// Four such deviations are kept below a hundredth. The unit is a power of two, so that totals are exact.
double pooled_unit(std::size_t agents, std::size_t landmarks, double ratio = 1);

/// Returns the shape of the sum. Proof of the bound: Λ_b ≥ σ² I and |φ(x)|² ≤ k(x,x). So, with u_j the j-th
/// row of Φ, |A_ij| ≤ |u_i||u_j|/σ² ≤ n k/σ², and |a_j| ≤ |u_j||y|/σ² ≤ n √k y_max/σ².
SumShape pooled_sum(const PooledFacts& facts);

/// Returns a bound on |μ|² for sums of n rows: μ'(I+A)μ = a'(I+A)⁻¹a ≤ Σ y'Λ⁻¹y ≤ n y_max²/σ².
double most_weight_square(double rows, double output_max, double noise);

/// One agent's side, with one LandmarkSums for each prior. The vector contains the lower triangle of A,
/// column by column, then a. References must outlive the task.
Task<std::vector<PooledTotals>> pool_privately(Run& net, const SecureSum& secure_sum,
                                               const PooledFacts& facts,
                                               const std::vector<LandmarkSums>& mine);

}  // namespace tacit
