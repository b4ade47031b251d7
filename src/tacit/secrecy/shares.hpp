// Additive secret sharing, Share(m, n) of the paper's section III-A.
#pragma once

#include <span>

#include "tacit/secrecy/prg.hpp"
#include "tacit/secrecy/wire.hpp"

namespace tacit {

/// Splits m into n = sent.size() + 1 shares that sum to m modulo q. The n - 1 shares to be sent are
/// drawn uniformly, packed and ready to send; the last, m minus their sum, stays in `kept`, which holds
/// m on entry. Any n - 1 of the shares say nothing about m. Every buffer in `sent` must be
/// packed_size(ring, kept.size()) long.
template <class Word>
void share(const Ring<Word>& ring, Prg& prg, std::span<const Bytes> sent, std::span<Word> kept);

/// Share(0, n), whatever `kept` held before.
template <class Word>
void share_zero(const Ring<Word>& ring, Prg& prg, std::span<const Bytes> sent, std::span<Word> kept);

}  // namespace tacit
