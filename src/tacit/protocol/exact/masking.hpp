// The arithmetic of one agent in an exact sum. For protocol exact's own files.
#pragma once

#include <algorithm>
#include <optional>
#include <span>

#include "tacit/protocol/exact/exact.hpp"
#include "tacit/protocol/exact/roster.hpp"
#include "tacit/protocol/run/run.hpp"
#include "tacit/secrecy/ring.hpp"
#include "tacit/secrecy/wire.hpp"

namespace tacit {

/// The key of a self-mask's stream.
using SelfMask = LockedVector<std::byte>;
inline constexpr std::size_t self_mask_bytes = Prg::key_bytes;

/// Returns the values in units, as integers. Throws InputError if a value is not finite or exceeds the bound.
template <class Word>
WipedVector<SignedOf<Word>> fixed_point(const ExactPlan& plan, const Values& values);

/// A sum of packed vectors and streams in Z_2^b.
template <class Word>
class Masking {
 public:
  explicit Masking(const ExactPlan& plan)
      : plan_(plan),
        ring_(plan.modulus_bits),
        size_(packed_size(ring_, plan.dimension)),
        sum_(plan.dimension) {}

  /// Returns the size of a vector on the wire.
  std::size_t size() const { return size_; }

  void add(std::span<const std::byte> packed) {
    const ConstBytes source = packed;
    add_packed<Word>(ring_, {&source, 1}, std::span<Word>(sum_));
  }

  void subtract(std::span<const std::byte> packed) {
    const ConstBytes source = packed;
    subtract_packed<Word>(ring_, {&source, 1}, std::span<Word>(sum_));
  }

  /// Adds or subtracts a whole stream, in pieces that fit the level-1 cache.
  void apply(Prg stream, bool plus) {
    constexpr std::size_t piece = 1024;
    drawn_.resize(packed_size(ring_, piece));
    const std::span<Word> all(sum_);
    for (std::size_t from = 0; from < all.size(); from += piece) {
      const std::span<Word> part = all.subspan(from, std::min(piece, all.size() - from));
      const Bytes bytes = std::span(drawn_).first(packed_size(ring_, part.size()));
      stream.fill(bytes);
      const ConstBytes source = bytes;
      plus ? add_packed<Word>(ring_, {&source, 1}, part) : subtract_packed<Word>(ring_, {&source, 1}, part);
    }
  }
  void apply(std::span<const std::byte> self_mask, bool plus) {
    apply(Prg::from_key(Prg::Key(self_mask.first<self_mask_bytes>())), plus);
  }
  /// Applies, for every mask partner, the pair's stream for this occasion. One of the two adds it, the other
  /// subtracts it.
  void apply(const MaskKeys& keys, const Digest& occasion, AgentId self) {
    for (const auto& [partner, key] : keys.keys) apply(stream_of(key, occasion), self < partner);
  }

  /// Packs the sum so far plus these values.
  void pack(const WipedVector<SignedOf<Word>>& values, std::span<std::byte> out) const {
    pack_affine<Word>(ring_, 1, values, sum_, out);
  }
  void pack(std::span<std::byte> out) const {
    const WipedVector<SignedOf<Word>> nothing(plan_.dimension);
    pack_affine<Word>(ring_, 0, nothing, sum_, out);
  }

  void clear() { std::ranges::fill(sum_, Word{0}); }

  /// Returns the sum in reals.
  Values values() const;

 private:
  const ExactPlan& plan_;
  const Ring<Word> ring_;
  const std::size_t size_;
  WipedVector<Word> sum_;
  WipedVector<std::byte> drawn_;
};

/// Returns the root of the tree that determines the mask partners; nothing for verified sums.
std::optional<AgentId> top_of(const ExactPlan& plan);

/// Adds the key shared with a mask partner. Throws Misbehaviour for a key that an honest agent cannot have.
void agree(MaskKeys& keys, AgentId self, const KeyPair& mine, AgentId partner, const PublicKey& theirs);

/// Exchanges fresh keys for tree sums: every agent receives those of its mask partners.
Task<MaskKeys> tree_keys(Run& net, const ExactPlan& plan);

/// The two ways to compute a sum, after its conditions have been checked.
template <class Word>
Task<Values> verified_sum(Run& net, const ExactPlan& plan, WipedVector<SignedOf<Word>> mine);
template <class Word>
Task<Values> tree_sum(Run& net, const ExactPlan& plan, WipedVector<SignedOf<Word>> mine);

}  // namespace tacit
