// Additive secret sharing: Share(m, n) of the paper's section III-A.
#pragma once

#include <span>

#include "tacit/secrecy/prg.hpp"
#include "tacit/secrecy/wire.hpp"

namespace tacit {

/// Splits m into n = sent.size() + 1 shares that sum to m modulo q. On entry `kept` holds m. The n - 1 shares
/// in `sent` are drawn uniformly and packed, ready to send. The last share, m minus their sum, replaces m in
/// `kept`. Any n - 1 of the shares reveal nothing about m. Every buffer in `sent` must be
/// packed_size(ring, kept.size()) bytes long.
template <class Word>
void share(const Ring<Word>& ring, Prg& prg, std::span<const Bytes> sent, std::span<Word> kept);

/// Share(0, n). The previous content of `kept` is ignored.
template <class Word>
void share_zero(const Ring<Word>& ring, Prg& prg, std::span<const Bytes> sent, std::span<Word> kept);

}  // namespace tacit
