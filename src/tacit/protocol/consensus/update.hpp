// How a state moves: the update (metroFinal), the last step of an iteration.
#pragma once

#include <cstddef>
#include <span>
#include <utility>

#include "tacit/protocol/consensus/divider.hpp"
#include "tacit/protocol/consensus/plan.hpp"
#include "tacit/secrecy/ring.hpp"
#include "tacit/secrecy/wiped.hpp"

namespace tacit {

/// state[k] += (sum[k] − weight · quantised[k]) mod q, and quantised[k] becomes the nearest multiple of D of
/// the new state, for k < n. `sum` is φ_ii + Σ_j ζ_ij, `weight` Σ_j w̄_ij, below 2^32. Returns false when a
/// quantised state lies beyond ±limit.
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
  Signed limit;  // what no quantised state exceeds, on either side
  WipedVector<Signed> exact, quantised;
};

/// Throws the Error about a state that left the range of the plan unless `within`. States of honest agents
/// never do (docs/decisions.md), so a run in which one does must stop.
void check_range(bool within);

/// The paper's update. ChebyshevUpdate is the other one; Protocol 1 takes either.
template <class Word>
class MetropolisUpdate {
 public:
  using Signed = SignedOf<Word>;
  MetropolisUpdate(const ConsensusPlan& plan, WipedVector<Signed> start) : state_(plan, std::move(start)) {}

  /// Q(z̄_i(t)).
  std::span<const Signed> quantised() const { return state_.quantised; }

  /// Call once a round, before its moves.
  void begin_round() {}

  /// Moves sum.size() elements of the state from element `from` on; `sum` and `weight` as in `update`. Throws
  /// Error when the state leaves the range that the plan guarantees.
  void move(std::span<const Word> sum, std::uint64_t weight, std::size_t from);

  /// z̄_i(T), once all rounds are over.
  WipedVector<Signed> take_state() { return std::move(state_.exact); }

 private:
  QuantisedState<Word> state_;
};

}  // namespace tacit
