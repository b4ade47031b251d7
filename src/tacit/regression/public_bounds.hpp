// How large an agent's contribution to Protocol 2 can be, from public facts alone: nobody has to look at data
// to choose a modulus.
#pragma once

#include <cstddef>

namespace tacit {

/// What everybody may know: the charter's numbers.
struct PublicFacts {
  std::size_t agents = 0;  ///< M
  std::size_t rows = 0;    ///< the most rows an agent has, max N_i
  double signal_low = 0;   ///< k(x,x) lies between signal_low² and signal_high²
  double signal_high = 0;
  double noise = 0;       ///< σ_ε
  double output_max = 0;  ///< y_max: |y| ≤ y_max, from the outputs' public ranges
};

struct PublicBounds {
  double variance_low = 0;   ///< V_i(x) ≥ this: 1/V_i ≤ 1/k + N_i/σ_ε², reached when all rows lie at x
  double variance_high = 0;  ///< V(x) of the fused model ≤ k/M, as V_i(x) ≤ k(x,x)
  double mean = 0;           ///< |f̂_i(x)| ≤ √k √N_i y_max / σ_ε, and so is the fused mean
  double weighted_mean = 0;  ///< |f̂_i(x)| / V_i(x) ≤ √N_i y_max / (σ_ε √V_i)
  double value = 0;          ///< no entry of z_i(0) of (init) is larger
};

/// Why: with a = (K_i + σ_ε² I)⁻¹ k_i(x), f̂_i = aᵀy_i and V_i = Var(f − aᵀf_i) + σ_ε² |a|², so |a| ≤ √V_i /
/// σ_ε and |f̂_i| ≤ |a| √N_i y_max. Bounding f̂_i and 1/V_i apart would cost about ten bits more. Throws
/// InputError for a noise, signal or output bound that is not positive.
PublicBounds public_bounds(const PublicFacts& facts);

/// An L_z for people who give none: a millionth of the smallest 1/V(x) possible, which leaves six digits of
/// every variance right (γ of Theorem 4 is at most a millionth of V) and satisfies (xi) by far.
double usual_lz(const PublicBounds& bounds);

/// The unit of exact sums for people who give none: a thousandth of that, as M roundings add up there and ten
/// bits more cost little.
double usual_unit(const PublicBounds& bounds);

}  // namespace tacit
