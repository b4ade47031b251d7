// Accelerated consensus: z(t+1) = ω(t) (W z(t)) + (1 − ω(t)) z(t−1), where W z is the neighbourhood sum of
// (metroFinal) and ω(t) is computed from the public λ. After T rounds the disagreement is that of the best
// polynomial in W of degree T, 1/cosh(T arcosh(1/λ)) instead of λ^T. docs/decisions.md proves the bounds used
// here.
#pragma once

#include <cstddef>
#include <cstdint>

#include "tacit/protocol/consensus/update.hpp"

namespace tacit {

/// Above these limits, the rounding of ω(t) is not negligible in the bounds.
inline constexpr std::size_t most_chebyshev_iterations = 10'000;
inline constexpr double most_chebyshev_lambda = 1 - 0x1p-20;

/// ω(0), ω(1), ...: 1, then 1/(1 − λ²/2), then ω(t+1) = 1/(1 − λ² ω(t)/4), as multiples of 2^-30. Computed in
/// integers from λ rounded up to a multiple of 2^-30, so that all machines agree.
class ChebyshevWeights {
 public:
  static constexpr unsigned fraction_bits = 30;

  explicit ChebyshevWeights(double lambda);
  std::uint64_t next();

 private:
  Word128 square_;           // λ² 2^60
  std::uint64_t omega_ = 0;  // ω(t) 2^62; 0 before the first
};

/// Returns a bound on what remains of the initial disagreement after T rounds.
double chebyshev_transient(double lambda, std::size_t agents, double deviation, std::size_t iterations);

/// Returns the fewest rounds after which that is at most `target`.
std::size_t chebyshev_iterations(double lambda, std::size_t agents, double deviation, double target);

/// Returns how many bits below L_z L_w a state needs so that the average drifts by less than L_z/100 in T
/// rounds.
unsigned chebyshev_guard_bits(double lambda, std::uint64_t denominator, std::size_t iterations);

/// Returns a bound on all states in all rounds for starts within ±`start`. For start = 0 it is the effect of
/// quantiser and rounding, and so their contribution to the error of an average.
double chebyshev_state_bound(double lambda, std::size_t agents, double start, double lz,
                             std::size_t iterations);

/// The accelerated update, used in place of MetropolisUpdate. Stores the previous round.
template <class Word>
class ChebyshevUpdate {
 public:
  using Signed = SignedOf<Word>;
  ChebyshevUpdate(const ConsensusPlan& plan, WipedVector<Signed> start);

  std::span<const Signed> quantised() const { return state_.quantised; }
  void begin_round() { omega_ = weights_.next(); }

  /// As MetropolisUpdate::move. Also throws Error if a neighbourhood sum is larger than states within the
  /// range permit.
  void move(std::span<const Word> sum, std::uint64_t weight, std::size_t from);

  WipedVector<Signed> take_state() { return std::move(state_.exact); }

 private:
  QuantisedState<Word> state_;
  ChebyshevWeights weights_;
  unsigned guard_;
  Signed denominator_;
  Word omega_ = 0;
  WipedVector<Signed> previous_;
};

}  // namespace tacit
