// The update (metroFinal) of a state, which is the last step of an iteration.
#pragma once

#include <cstddef>
#include <span>
#include <utility>

#include "tacit/protocol/consensus/divider.hpp"
#include "tacit/protocol/consensus/plan.hpp"
#include "tacit/secrecy/ring.hpp"
#include "tacit/secrecy/wiped.hpp"

namespace tacit {

/// For k < n: state[k] += (sum[k] − weight · quantised[k]) mod q, and quantised[k] becomes the multiple of D
/// nearest to the new state. `sum` is φ_ii + Σ_j ζ_ij, `weight` is Σ_j w̄_ij, below 2^32. Returns false if a
/// quantised state exceeds ±limit.
template <class Word>
[[nodiscard]] bool update(const Ring<Word>& ring, const Divider<Word>& divider, Word weight,
                          SignedOf<Word> limit, const Word* sum, SignedOf<Word>* state,
                          SignedOf<Word>* quantised, std::size_t n);

/// One agent's state z̄_i, in units of the plan, and Q(z̄_i).
template <class Word>
struct QuantisedState {
  using Signed = SignedOf<Word>;
  QuantisedState(const ConsensusPlan& plan, WipedVector<Signed> start);

  Ring<Word> ring;
  Divider<Word> divider;
  Signed limit;  // the bound on quantised states, on either side
  WipedVector<Signed> exact, quantised;
};

/// Throws the Error for a state outside the plan's range unless `within`. States of honest agents never leave
/// the range (docs/decisions.md), so the run must stop.
void check_range(bool within);

/// The paper's update. Protocol 1 uses this one or ChebyshevUpdate.
template <class Word>
class MetropolisUpdate {
 public:
  using Signed = SignedOf<Word>;
  MetropolisUpdate(const ConsensusPlan& plan, WipedVector<Signed> start) : state_(plan, std::move(start)) {}

  /// Q(z̄_i(t)).
  std::span<const Signed> quantised() const { return state_.quantised; }

  /// Called once in each round, before its moves.
  void begin_round() {}

  /// Moves sum.size() elements of the state from element `from` on; `sum` and `weight` are as in `update`.
  /// Throws Error if the state leaves the range that the plan guarantees.
  void move(std::span<const Word> sum, std::uint64_t weight, std::size_t from);

  /// Returns z̄_i(T) after the last round.
  WipedVector<Signed> take_state() { return std::move(state_.exact); }

 private:
  QuantisedState<Word> state_;
};

}  // namespace tacit
