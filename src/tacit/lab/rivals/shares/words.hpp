// Fixed point in Z_2^64 and the loops over it that take most of the time. Part of the rival `shares`, a
// baseline for measurements (shares.hpp).
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace tacit::shares {

/// Elements of Z_2^64: additive shares, masks, or opened values.
using Word = std::uint64_t;
using Words = std::vector<Word>;
using WordsView = std::span<const Word>;

/// A real x is represented by the residue of round(x · 2^26). Products have 52 fractional bits until they are
/// truncated and must stay below 2^62 until then, so numbers must be below 2^10.
inline constexpr unsigned fraction = 26;
inline constexpr double largest = 1024;

/// Throws Error for a number that is not finite or does not fit 62 bits.
Word encode(double x, unsigned bits = fraction);
double decode(Word x, unsigned bits = fraction);

/// out += a · factor_a (+ b · factor_b), element by element; all of the same length.
void add_scaled(std::span<Word> out, const Word* a, Word factor);
void add_scaled(std::span<Word> out, const Word* a, Word factor_a, const Word* b, Word factor_b);
/// out += a · b, out += a · b + c · d, element by element.
void add_products(std::span<Word> out, const Word* a, const Word* b);
void add_products(std::span<Word> out, const Word* a, const Word* b, const Word* c, const Word* d);
/// out += a, out -= a.
void add_to(std::span<Word> out, WordsView a);
void subtract_from(std::span<Word> out, WordsView a);

/// out += a bᵀ, where a is m x k, b is n x k and out is m x n, all by rows.
void add_product(std::span<Word> out, WordsView a, WordsView b, std::size_t k);

}  // namespace tacit::shares
