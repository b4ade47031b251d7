#include "tacit/secrecy/wire.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <vector>

#include "tacit/secrecy/prg.hpp"

namespace tacit {
namespace {

template <class Word>
std::vector<Word> draw(Prg& prg, std::size_t n) {
  std::vector<Word> words(n);
  prg.fill(std::as_writable_bytes(std::span(words)));
  return words;
}

// Packs the words: weight · x + shift with weight 1 and shift 0.
template <class Word>
void pack(const Ring<Word>& ring, const std::vector<Word>& words, Bytes out) {
  const std::vector<SignedOf<Word>> x(words.begin(), words.end());
  pack_affine<Word>(ring, 1, x, std::vector<Word>(words.size()), out);
}

template <class Word>
void check_round_trip(unsigned bits, std::size_t n, std::uint64_t seed) {
  const Ring<Word> ring(bits);
  Prg prg = Prg::from_seed(seed, "wire", bits);
  const auto words = draw<Word>(prg, n), start = draw<Word>(prg, n);
  std::vector<std::byte> bytes(packed_size(ring, n) + 1, std::byte{0x5a});
  const Bytes packed(bytes.data(), packed_size(ring, n));
  pack<Word>(ring, words, packed);
  ASSERT_EQ(bytes.back(), std::byte{0x5a}) << "wrote past the end";

  auto sum = start;
  for (std::size_t copies = 1; copies <= 6; ++copies) {
    const std::vector<ConstBytes> sources(copies, packed);
    add_packed<Word>(ring, sources, sum);
    for (std::size_t k = 0; k < n; ++k)
      ASSERT_TRUE(ring.reduce(sum[k]) == ring.reduce(Word(start[k] + copies * words[k]))) << "bits " << bits;
    subtract_packed<Word>(ring, sources, sum);
    ASSERT_TRUE(sum == start);
    auto negated = start;
    negate_packed<Word>(ring, sources, negated);
    for (std::size_t k = 0; k < n; ++k)
      ASSERT_TRUE(ring.reduce(negated[k]) == ring.reduce(Word(0 - copies * words[k])));
  }
}

TEST(Wire, EveryWidthComesBackAsItWent) {
  for (std::size_t n : {0u, 1u, 7u, 64u, 2500u}) {
    for (unsigned bits = 1; bits <= 64; ++bits) check_round_trip<Word64>(bits, n, n);
    for (unsigned bits = 1; bits <= 128; ++bits) check_round_trip<Word128>(bits, n, n);
  }
}

TEST(Wire, BothWordsWriteTheSameBytes) {
  Prg prg = Prg::from_seed(1, "words", 0);
  const auto narrow = draw<Word64>(prg, 100);
  const std::vector<Word128> wide(narrow.begin(), narrow.end());
  for (unsigned bits = 1; bits <= 64; ++bits) {
    const Ring<Word64> r64(bits);
    const Ring<Word128> r128(bits);
    std::vector<std::byte> a(packed_size(r64, 100)), b(packed_size(r128, 100));
    pack<Word64>(r64, narrow, a);
    pack<Word128>(r128, wide, b);
    EXPECT_EQ(a, b) << "bits " << bits;
  }
}

template <class Word>
void check_affine(unsigned bits) {
  const Ring<Word> ring(bits);
  Prg prg = Prg::from_seed(4, "affine", bits);
  const auto words = draw<Word>(prg, 45), shift = draw<Word>(prg, 45);
  const std::vector<SignedOf<Word>> x(words.begin(), words.end());
  for (std::uint64_t weight : {0ull, 1ull, 7ull, 4294967295ull}) {
    std::vector<std::byte> out(packed_size(ring, 45));
    pack_affine<Word>(ring, weight, x, shift, out);
    std::vector<Word> got(45);
    const ConstBytes source = out;
    add_packed<Word>(ring, std::span(&source, 1), got);
    for (std::size_t k = 0; k < 45; ++k)
      ASSERT_TRUE(ring.reduce(got[k]) == ring.reduce(Word(words[k] * weight + shift[k]))) << "bits " << bits;
  }
}

TEST(Wire, PacksWeightedSums) {
  for (unsigned bits = 1; bits <= 64; ++bits) check_affine<Word64>(bits);
  for (unsigned bits = 1; bits <= 128; ++bits) check_affine<Word128>(bits);
}

TEST(Wire, LayoutIsFixed) {  // other machines and versions depend on it
  const Ring<Word64> ring(24);
  const std::vector<Word64> words = {0x030201, 0x060504};
  std::vector<std::byte> out(6);
  pack<Word64>(ring, words, out);
  for (int k = 0; k < 6; ++k) EXPECT_EQ(std::to_integer<int>(out[static_cast<std::size_t>(k)]), k + 1);
}

}  // namespace
}  // namespace tacit
