#include "tacit/secrecy/shares.hpp"

namespace tacit {

template <class Word>
void share(const Ring<Word>& ring, Prg& prg, std::span<const Bytes> sent, std::span<Word> kept) {
  for (const Bytes& buffer : sent) {
    fill_uniform(ring, prg, kept.size(), buffer);
    const ConstBytes drawn = buffer;  // still in the cache
    subtract_packed(ring, std::span(&drawn, 1), kept);
  }
}

template void share(const Ring<Word64>&, Prg&, std::span<const Bytes>, std::span<Word64>);
template void share(const Ring<Word128>&, Prg&, std::span<const Bytes>, std::span<Word128>);

}  // namespace tacit
