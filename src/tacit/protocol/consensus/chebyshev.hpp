// Accelerated consensus: z(t+1) = ω(t) (W z(t)) + (1 − ω(t)) z(t−1), where W z is the neighbourhood sum
// of (metroFinal) and ω(t) comes from the public λ. After T rounds the disagreement is that of the best
// polynomial in W of degree T, 1/cosh(T arcosh(1/λ)) instead of λ^T. docs/decisions.md proves the
// bounds used here.
#pragma once

#include <cstddef>
#include <cstdint>

#include "tacit/protocol/consensus/update.hpp"

namespace tacit {

/// Beyond this the rounding of ω(t) is no longer negligible in the bounds.
inline constexpr std::size_t most_chebyshev_iterations = 10'000;
inline constexpr double most_chebyshev_lambda = 1 - 0x1p-20;

/// ω(0), ω(1), ...: 1, then 1/(1 − λ²/2), then ω(t+1) = 1/(1 − λ² ω(t)/4), as whole multiples of 2^-30. In
/// integers from λ rounded up to a multiple of 2^-30, so that all machines agree.
class ChebyshevWeights {
 public:
  static constexpr unsigned fraction_bits = 30;

  explicit ChebyshevWeights(double lambda);
  std::uint64_t next();

 private:
  Word128 square_;           // λ² 2^60
  std::uint64_t omega_ = 0;  // ω(t) 2^62; none yet
};

/// What is left of the initial disagreement after T rounds, at most.
double chebyshev_transient(double lambda, std::size_t agents, double deviation, std::size_t iterations);

/// The fewest rounds after which that is at most `target`.
std::size_t chebyshev_iterations(double lambda, std::size_t agents, double deviation, double target);

/// How many bits below L_z L_w a state must have for the average to drift by less than L_z/100 in T rounds.
unsigned chebyshev_guard_bits(double lambda, std::uint64_t denominator, std::size_t iterations);

/// What no state exceeds in any round when the starts are within ±`start`. For start = 0 it is what quantiser
/// and rounding do, hence how far they can keep an average from the truth.
double chebyshev_state_bound(double lambda, std::size_t agents, double start, double lz,
                             std::size_t iterations);

/// The accelerated update, in place of MetropolisUpdate. Remembers the round before.
template <class Word>
class ChebyshevUpdate {
 public:
  using Signed = SignedOf<Word>;
  ChebyshevUpdate(const ConsensusPlan& plan, WipedVector<Signed> start);

  std::span<const Signed> quantised() const { return state_.quantised; }
  void begin_round() { omega_ = weights_.next(); }

  /// Also throws when a neighbourhood sum is beyond what states within the range give.
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
