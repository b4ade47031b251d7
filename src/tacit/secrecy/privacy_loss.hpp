// What noise promises: zero-concentrated differential privacy (zCDP, Bun and Steinke 2016). A mechanism whose
// sensitivity is Δ and whose noise has variance τ² satisfies ρ-zCDP with ρ = Δ²/(2τ²), and the ρ of several
// openings add up. docs/decisions.md has the proofs.
//
// Threads: plain functions.
// Errors: InputError for arguments outside the stated ranges.
// Stopping: no function runs long.
#pragma once

#include <cstddef>

namespace tacit {

/// Returns a δ for which ρ-zCDP implies (ε, δ)-differential privacy: the infimum over α of corollary 13 in
/// Canonne, Kamath and Steinke (2020). ρ and ε must be positive.
double delta_of(double rho, double epsilon);

/// Returns an ε for which ρ-zCDP implies (ε, δ)-differential privacy, rounded up. ρ must be positive, δ in
/// (0, 1).
double epsilon_of(double rho, double delta);

/// Returns a ρ that implies (ε, δ)-differential privacy, rounded down. The inverse of epsilon_of.
double rho_of(double epsilon, double delta);

/// Noise that several agents add, each an independent discrete Gaussian of this variance per number.
struct NoiseShares {
  std::size_t agents = 1;  ///< agents whose noise the attacker does not know
  double variance = 0;  ///< of each agent's noise in each number; in units of the integer grid, at least 1/2
};

/// Returns the ρ of a sum of integer vectors of dimension p with such noise, if one key changes the sum by at
/// most `change` in Euclidean norm. A sum of discrete Gaussians is not a discrete Gaussian; this is the bound
/// of Kairouz, Liu and Steinke, "The Distributed Discrete Gaussian Mechanism for Federated Learning" (2021),
/// theorem 1.
double rho_of_sum(const NoiseShares& noise, double change, std::size_t dimension);

/// Returns the largest probability of guessing a yes/no value correctly after ρ, for an attacker that knows
/// all other values and holds both outcomes for equally likely. The noise is taken as Gaussian.
double guessed_correctly(double rho);

/// Returns the largest share of the true cases that an attacker detects after ρ if it raises false alarms in
/// this share of the others. The noise is taken as Gaussian.
double detected(double rho, double false_alarms);

}  // namespace tacit
