// How large an agent's contribution to Protocol 2 can be, from public facts alone: nobody has to look at data
// to choose a modulus.
#pragma once

#include <cstddef>

#include "tacit/consortium/predict/predict.hpp"
#include "tacit/gp/committee/fusion.hpp"

namespace tacit {

/// What everybody may know: the charter's numbers.
struct PublicFacts {
  std::size_t agents = 0;  ///< M
  std::size_t rows = 0;    ///< the most rows an agent has, max N_i
  double prior_low = 0;    ///< k(x,x) lies between these two; kernel_bounds knows them
  double prior_high = 0;
  double noise = 0;       ///< σ_ε
  double output_max = 0;  ///< y_max: |y| ≤ y_max, from the outputs' public ranges
  Fusion fusion = Fusion::poe;
  std::size_t experts = 1;      ///< the most experts an agent has
  std::size_t expert_rows = 0;  ///< the most rows of an expert; 0: as many as an agent
  /// Experts of what landmarks leave over: bounds are those of PredictionSum::relative sums, and y is what is
  /// left of the targets.
  bool residual = false;
};

struct PublicBounds {
  double variance_low = 0;   ///< V_i(x) ≥ this, from 1/V_i ≤ (1 + N_i k_high/σ_ε²)/k_low
  double variance_high = 0;  ///< 1/(the least that precisions add up to): k/M for poe, k for committees
  double mean = 0;           ///< the fused mean is at most this; for poe √k √N y_max / σ_ε
  double weighted_mean = 0;  ///< |W| of an agent
  double precision = 0;      ///< P of an agent
  double value = 0;          ///< no entry of z_i(0) of (init) is larger: M times the contribution
  double count_unit = 1;     ///< of PredictionSum
  double experts = 1;        ///< of all agents, at most
};

/// Why: with a = (K_i + σ_ε² I)⁻¹ k_i(x), f̂_i = aᵀy_i and V_i = Var(f − aᵀf_i) + σ_ε² |a|², so |a| ≤ √V_i /
/// σ_ε and |f̂_i| ≤ |a| √N_i y_max. Bounding f̂_i and 1/V_i apart would cost about ten bits more. An agent's E
/// experts share its rows, and Σ_e √N_e √(1/V_e) ≤ √(Σ N_e) √(Σ 1/V_e). With committees β_e ≤ ½ log(k/V_e).
/// For residuals let r = k(x,x) − |φ(x)|²: r/V_e ≤ 1 + tr R_e/σ_ε² with R_e ≤ K_e, so r Σ 1/V_e and √r |W|
/// have the same bounds with k_low = 1.
/// Throws InputError for a noise, signal or output bound that is not positive, a kernel that may vanish, or a
/// noise below least_noise.
PublicBounds public_bounds(const PublicFacts& facts);

/// The least σ_ε with which experts of this many rows, computed in double precision, keep the bounds.
double least_noise(double expert_rows, double prior_high);

/// The default L_z: a millionth of the smallest 1/V(x) possible, which leaves six digits of every variance
/// right in the limit (γ of Theorem 4 is a millionth of V) and satisfies (xi) by far.
double usual_lz(const PublicBounds& bounds);

/// The default unit of exact sums: a thousandth of that, as M roundings add up there and ten bits
/// more cost little.
double usual_unit(const PublicBounds& bounds);

}  // namespace tacit
