#include "tacit/secrecy/wire.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <vector>

namespace tacit {
namespace {

template <class Word>
std::vector<Word> draw(Prg& prg, std::size_t n) {
  std::vector<Word> words(n);
  prg.fill(std::as_writable_bytes(std::span(words)));
  return words;
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
  ASSERT_TRUE(is_packed(ring, n, packed));

  auto sum = start;
  const ConstBytes sources[] = {packed, packed, packed};
  add_packed<Word>(ring, sources, sum);
  for (std::size_t k = 0; k < n; ++k) ASSERT_TRUE(sum[k] == Word(start[k] + 3 * ring.reduce(words[k]))) << "bits " << bits;
  subtract_packed<Word>(ring, sources, sum);
  ASSERT_TRUE(sum == start);
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

TEST(Wire, LayoutIsFixed) {  // other machines and versions must read it: 3 bytes are a 2-byte plane, then a 1-byte plane
  const Ring<Word64> ring(24);
  const std::vector<Word64> words = {0x030201, 0x060504};
  std::vector<std::byte> out(6);
  pack<Word64>(ring, words, out);
  const std::vector<std::byte> expected = {std::byte{1}, std::byte{2}, std::byte{4}, std::byte{5}, std::byte{3}, std::byte{6}};
  EXPECT_EQ(out, expected);
}

TEST(Wire, UniformElementsStayInTheRing) {
  for (unsigned bits = 1; bits <= 128; ++bits) {
    const Ring<Word128> ring(bits);
    Prg prg = Prg::from_seed(2, "uniform", bits);
    std::vector<std::byte> bytes(packed_size(ring, 333));
    fill_uniform(ring, prg, 333, bytes);
    EXPECT_TRUE(is_packed(ring, 333, bytes)) << "bits " << bits;
    std::vector<Word128> values(333);
    const ConstBytes source = bytes;
    add_packed<Word128>(ring, std::span(&source, 1), values);
    for (Word128 v : values) EXPECT_TRUE(v == ring.reduce(v));
  }
}

TEST(Wire, RefusesWhatIsNotCanonical) {
  for (unsigned bits : {1u, 7u, 13u, 20u, 39u, 61u, 65u, 100u, 127u}) {
    const Ring<Word128> ring(bits);
    const std::size_t n = 11;
    std::vector<std::byte> bytes(packed_size(ring, n));
    EXPECT_TRUE(is_packed(ring, n, bytes));
    EXPECT_FALSE(is_packed(ring, n, ConstBytes(bytes).first(bytes.size() - 1)));
    EXPECT_FALSE(is_packed(ring, n + 1, bytes));
    bytes.back() = std::byte{0x80};  // the topmost bit of the last element, which no width here uses
    EXPECT_FALSE(is_packed(ring, n, bytes)) << "bits " << bits;
  }
}

}  // namespace
}  // namespace tacit
