// The conditions and error bounds that the paper's theorems state, as plain functions of numbers.
#pragma once

#include <cstddef>
#include <cstdint>

namespace tacit {

/// What the modulus must exceed: the network, the quantiser and how large values may be.
struct ModulusQuestion {
  std::size_t agents = 0;         ///< M
  std::size_t dimension = 0;      ///< p
  double lz = 0;                  ///< L_z
  std::uint64_t denominator = 0;  ///< 1/L_w
  double lambda = 0;              ///< λ
  double value_bound = 0;  ///< B with |z_i(0)| ≤ B for every agent, so ‖z^avg‖ ≤ B and z̃_max ≤ 2B
};

/// The right-hand side of (qbound) of Theorem 2. With p = 2 and B = r_Θ it is that of (hypParamsCond).
long double modulus_bound_paper(const ModulusQuestion& question);

/// What is enough: 2 (B/L_z + 2) / L_w, from the lemma that quantised Metropolis states never leave the range
/// of their start (docs/decisions.md proves it, consensus_test.cpp tests it). Independent of M, p and λ, and
/// many bits below (qbound).
long double modulus_bound_range(const ModulusQuestion& question);

/// The smallest b with 2^b > bound.
unsigned bits_above(long double bound);

/// The fewest iterations after which the disagreement left over from the start is at most `target`:
/// λ^T √M z̃_max ≤ target. (The proof of Theorem 2 has √(Mp); each of the p components evolves alone, so √M
/// will do.)
std::size_t iterations_for(double lambda, std::size_t agents, double deviation, double target);

/// What is left of the initial disagreement after T iterations, λ^T √M z̃_max.
double transient_error(double lambda, std::size_t agents, double deviation, std::size_t iterations);

/// How far the quantiser can have moved any agent from the average after T iterations, at most. Lemma
/// quantMetro says L_z, in the limit; this holds at every T: L_z √M/2 times 1 + ½ log T, or 3/2 + ½ log
/// 1/(1−λ) where that is less (docs/decisions.md proves it).
double quantiser_bound(double lambda, std::size_t agents, double lz, std::size_t iterations);

/// (xi): 1/V(x) > L_z, given a bound on V(x). It holds for every data set when L_z < M / k(x,x).
bool precision_suffices(double lz, double variance);

/// γ of Theorem 4: how far V_i^(T)(x) can end from V(x) when both sums end within `error` of the truth. The
/// theorem has L_z for it, in the limit; ConsensusPlan::error and ExactPlan::error say what holds after a
/// run. Infinite unless (xi) holds for that error: then nothing is promised.
double gamma_bound(double error, double variance);

/// β of Theorem 4: the same for f̂_i^(T)(x) and f̂(x), where weighted_sum = |Σ_i f̂_i(x)/V_i(x)|.
double beta_bound(double error, double variance, double weighted_sum);

}  // namespace tacit
