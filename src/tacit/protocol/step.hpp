// The update (metroFinal) of a whole state, the last loop of an iteration.
#pragma once

#include <cstddef>

#include "tacit/protocol/divider.hpp"
#include "tacit/secrecy/ring.hpp"

namespace tacit {

/// state[k] += (sum[k] − weight · quantised[k]) mod q, and quantised[k] becomes the nearest multiple of D of
/// the new state, for k < n. `sum` is φ_ii + Σ_j ζ_ij, `weight` Σ_j w̄_ij, below 2^32. Returns false when a
/// quantised state lies beyond ±limit.
template <class Word>
[[nodiscard]] bool step(const Ring<Word>& ring, const Divider<Word>& divider, Word weight,
                        SignedOf<Word> limit, const Word* sum, SignedOf<Word>* state,
                        SignedOf<Word>* quantised, std::size_t n);

}  // namespace tacit
