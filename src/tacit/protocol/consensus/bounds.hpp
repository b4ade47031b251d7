// The conditions and error bounds of the paper's theorems, as plain functions of numbers.
//
// Threads: any thread may call these functions.
// Errors: none. Arguments outside the theorems' conditions give infinite or meaningless numbers.
// Stopping: no function runs long.
#pragma once

#include <cstddef>
#include <cstdint>

namespace tacit {

/// What determines the modulus: the network, the quantiser and the bound on values.
struct ModulusQuestion {
  std::size_t agents = 0;         ///< M
  std::size_t dimension = 0;      ///< p
  double lz = 0;                  ///< L_z
  std::uint64_t denominator = 0;  ///< 1/L_w
  double lambda = 0;              ///< λ
  double value_bound = 0;  ///< B with |z_i(0)| ≤ B for every agent, so ‖z^avg‖ ≤ B and z̃_max ≤ 2B
};

/// Returns the right-hand side of (qbound) of Theorem 2. With p = 2 and B = r_Θ it is that of
/// (hypParamsCond).
long double modulus_bound_paper(const ModulusQuestion& question);

/// Returns a sufficient bound, 2 (B/L_z + 2) / L_w. It follows from the lemma that quantised Metropolis
/// states never leave the range of their start (proof in docs/decisions.md, test in consensus_test.cpp). It
/// does not depend on M, p and λ, and is many bits below (qbound).
long double modulus_bound_range(const ModulusQuestion& question);

/// Returns the smallest b with 2^b > bound.
unsigned bits_above(long double bound);

/// Returns the fewest iterations after which the remaining disagreement of the starts is at most `target`:
/// λ^T √M z̃_max ≤ target. (The proof of Theorem 2 has √(Mp); each of the p components evolves independently,
/// so √M suffices.)
std::size_t iterations_for(double lambda, std::size_t agents, double deviation, double target);

/// Returns what remains of the initial disagreement after T iterations, λ^T √M z̃_max.
double transient_error(double lambda, std::size_t agents, double deviation, std::size_t iterations);

/// Returns the maximum distance from the average to which the quantiser can have moved an agent after T
/// iterations. Lemma quantMetro states L_z, in the limit. This holds at every T: L_z √M/2 times 1 + ½ log T,
/// or times 3/2 + ½ log 1/(1−λ) if that is smaller (proof in docs/decisions.md).
double quantiser_bound(double lambda, std::size_t agents, double lz, std::size_t iterations);

/// (xi): 1/V(x) > L_z, given a bound on V(x). It holds for every data set when L_z < M / k(x,x).
bool precision_suffices(double lz, double variance);

/// γ of Theorem 4: the maximum distance of V_i^(T)(x) from V(x) if both sums are within `error` of the true
/// ones. In the theorem, `error` is L_z, in the limit; ConsensusPlan::error and ExactPlan::error give the
/// value after a run. Infinite (no guarantee) unless (xi) holds for that error.
double gamma_bound(double error, double variance);

/// β of Theorem 4: the same for f̂_i^(T)(x) and f̂(x), where weighted_sum = |Σ_i f̂_i(x)/V_i(x)|.
double beta_bound(double error, double variance, double weighted_sum);

}  // namespace tacit
