// Bounds an agent's contribution to Protocol 2 by public facts only, so that the modulus does not depend on
// data.
#pragma once

#include <cstddef>

#include "tacit/consortium/predict/predict.hpp"
#include "tacit/gp/committee/fusion.hpp"

namespace tacit {

/// The public facts: the charter's numbers.
struct PublicFacts {
  std::size_t agents = 0;  ///< M
  std::size_t rows = 0;    ///< the maximum number of rows of an agent, max N_i
  double prior_low = 0;    ///< k(x,x) is between these two; see kernel_bounds
  double prior_high = 0;
  double noise = 0;       ///< σ_ε
  double output_max = 0;  ///< y_max: |y| ≤ y_max, from the outputs' public ranges
  Fusion fusion = Fusion::poe;
  std::size_t experts = 1;      ///< the maximum number of experts of an agent
  std::size_t expert_rows = 0;  ///< the maximum number of rows of an expert; 0: as many as an agent
  /// Experts learn the residuals that landmarks leave: bounds are those of PredictionSum::relative sums, and
  /// y is the residual.
  bool residual = false;
};

struct PublicBounds {
  double variance_low = 0;   ///< V_i(x) ≥ this, from 1/V_i ≤ (1 + N_i k_high/σ_ε²)/k_low
  double variance_high = 0;  ///< 1/(the smallest possible sum of precisions): k/M for poe, k for committees
  double mean = 0;           ///< bound on the fused mean; for poe √k √N y_max / σ_ε
  double weighted_mean = 0;  ///< bound on |W| of an agent
  double precision = 0;      ///< bound on P of an agent
  double value = 0;          ///< bound on all entries of z_i(0) of (init): M times the contribution
  double count_unit = 1;     ///< of PredictionSum
  double experts = 1;        ///< bound on the number of experts of all agents
};

/// Proof: with a = (K_i + σ_ε² I)⁻¹ k_i(x), f̂_i = aᵀy_i and V_i = Var(f − aᵀf_i) + σ_ε² |a|², so |a| ≤ √V_i /
/// σ_ε and |f̂_i| ≤ |a| √N_i y_max. Separate bounds on f̂_i and 1/V_i would cost about ten bits more. An
/// agent's E experts share its rows, and Σ_e √N_e √(1/V_e) ≤ √(Σ N_e) √(Σ 1/V_e). With committees, β_e ≤ ½
/// log(k/V_e). For residuals let r = k(x,x) − |φ(x)|²: r/V_e ≤ 1 + tr R_e/σ_ε² with R_e ≤ K_e, so r Σ 1/V_e
/// and √r |W| have the same bounds with k_low = 1.
///
/// Throws InputError if the noise, the signal or the bound on outputs is not positive, if the kernel can be
/// 0, or if the noise is below least_noise.
PublicBounds public_bounds(const PublicFacts& facts);

/// Returns the smallest σ_ε with which experts of this many rows, computed in double precision, respect the
/// bounds.
double least_noise(double expert_rows, double prior_high);

/// Returns the default L_z: a millionth of the smallest possible 1/V(x). In the limit it keeps six correct
/// digits of every variance (γ of Theorem 4 is a millionth of V), and it satisfies (xi) by a wide margin.
double usual_lz(const PublicBounds& bounds);

/// Returns the default unit of exact sums: 1/1024 of usual_lz, because M roundings add up and ten more bits
/// cost little.
double usual_unit(const PublicBounds& bounds);

}  // namespace tacit
