#include "tacit/secrecy/shares.hpp"

#include <algorithm>
#include <vector>

namespace tacit {
namespace {

// Works piece by piece, so that drawn bytes are still in the first-level cache when they are subtracted.
template <class Word>
void share_pieces(const Ring<Word>& ring, Prg& prg, std::span<const Bytes> sent, std::span<Word> kept,
                  bool zero) {
  constexpr std::size_t piece = 1024;
  std::vector<ConstBytes> drawn(sent.size());
  for (std::size_t from = 0; from < kept.size(); from += piece) {
    const std::span<Word> part = kept.subspan(from, std::min(piece, kept.size() - from));
    for (std::size_t s = 0; s < sent.size(); ++s) {
      const Bytes bytes = sent[s].subspan(packed_size(ring, from), packed_size(ring, part.size()));
      prg.fill(bytes);
      drawn[s] = bytes;
    }
    zero ? negate_packed<Word>(ring, drawn, part) : subtract_packed<Word>(ring, drawn, part);
  }
}

}  // namespace

template <class Word>
void share(const Ring<Word>& ring, Prg& prg, std::span<const Bytes> sent, std::span<Word> kept) {
  share_pieces(ring, prg, sent, kept, false);
}

template <class Word>
void share_zero(const Ring<Word>& ring, Prg& prg, std::span<const Bytes> sent, std::span<Word> kept) {
  share_pieces(ring, prg, sent, kept, true);
}

template void share(const Ring<Word64>&, Prg&, std::span<const Bytes>, std::span<Word64>);
template void share(const Ring<Word128>&, Prg&, std::span<const Bytes>, std::span<Word128>);
template void share_zero(const Ring<Word64>&, Prg&, std::span<const Bytes>, std::span<Word64>);
template void share_zero(const Ring<Word128>&, Prg&, std::span<const Bytes>, std::span<Word128>);

}  // namespace tacit
