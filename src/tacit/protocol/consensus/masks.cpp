#include "tacit/protocol/consensus/masks.hpp"

#include <algorithm>
#include <utility>

#include "tacit/secrecy/shares.hpp"

namespace tacit {
namespace {

constexpr std::size_t piece = 1024;  // elements; small enough for the level-1 cache

}  // namespace

template <class Word>
void ShareMasks<Word>::begin(AgentId aggregator, std::span<const AgentId> circle, std::uint32_t round,
                             std::span<Word> mask) {
  messages_.clear();
  outgoing_.clear();
  for (std::size_t k = 0; k < circle.size(); ++k)
    outgoing_.push_back(messages_.emplace_back(net_.buffer(packed_size(ring_, mask.size()))).bytes());
  share_zero<Word>(ring_, net_.randomness(), outgoing_, mask);
  for (std::size_t k = 0; k < circle.size(); ++k)
    net_.send(circle[k], {run_, round, aggregator, Step::share}, std::move(messages_[k]));
}

template <class Word>
SeededMasks<Word>::SeededMasks(const Neighbourhood& here, const PairKeys& keys, const Digest& occasion,
                               const Ring<Word>& ring)
    : here_(here), ring_(ring), drawn_(packed_size(ring, piece)) {
  for (const auto& [agent, key] : keys) streams_.emplace(agent, stream_of(key, occasion));
}

template <class Word>
void SeededMasks<Word>::begin(AgentId aggregator, std::span<const AgentId>, std::uint32_t round,
                              std::span<Word> mask) {
  std::ranges::fill(mask, Word{0});
  if (aggregator == here_.self) return;
  const auto at = std::ranges::lower_bound(here_.neighbours, aggregator) - here_.neighbours.begin();
  for (AgentId other : here_.neighbours_of[static_cast<std::size_t>(at)]) {
    if (other == here_.self) continue;
    Prg& stream = streams_.at(other);
    stream.go_to(std::uint64_t{aggregator} << 32 | round);  // every sum has its own part of the stream
    for (std::size_t from = 0; from < mask.size(); from += piece) {
      const std::span<Word> part = mask.subspan(from, std::min(piece, mask.size() - from));
      const Bytes bytes = std::span(drawn_).first(packed_size(ring_, part.size()));
      stream.fill(bytes);
      const ConstBytes source = bytes;
      here_.self < other ? add_packed<Word>(ring_, {&source, 1}, part)
                         : subtract_packed<Word>(ring_, {&source, 1}, part);
    }
  }
}

template class ShareMasks<Word64>;
template class ShareMasks<Word128>;
template class SeededMasks<Word64>;
template class SeededMasks<Word128>;

}  // namespace tacit
