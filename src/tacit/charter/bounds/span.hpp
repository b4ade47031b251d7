// Exact linear algebra for questions of the kind "is this functional determined by those?".
//
// Coefficients are whole numbers modulo the prime 2^61 - 1. Weights are whole numbers in units of L_w, so
// nothing is rounded; a rank modulo a prime never exceeds the true one, and falls below it only if the prime
// divides a minor, which for this one is as unlikely as guessing 61 bits.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

namespace tacit {

/// A number modulo 2^61 - 1, in [0, 2^61 - 1).
using Residue = std::uint64_t;
using Functional = std::vector<Residue>;

/// a modulo 2^61 - 1, for a of either sign.
Residue residue(std::int64_t a);
Residue add(Residue a, Residue b);
Residue multiply(Residue a, Residue b);

/// The fraction n/d with |n|, d < 2^20 that is this number, if there is one.
std::optional<std::pair<std::int64_t, std::int64_t>> fraction(Residue a);

/// All combinations of some functionals, kept as a reduced row echelon basis: pivots are 1 and alone in their
/// column. Small sets of agents whose sums are determined show up as rows.
class Span {
 public:
  explicit Span(std::size_t width) : width_(width) {}

  /// Takes one more functional of `width` coefficients in; false if it was in the span already.
  bool add(Functional row);
  bool contains(Functional row) const;
  std::size_t width() const { return width_; }
  std::size_t rank() const { return rows_.size(); }
  /// The basis, ascending by pivot, and the column of each row's pivot.
  const std::vector<Functional>& rows() const { return rows_; }
  const std::vector<std::size_t>& pivots() const { return pivots_; }

  friend bool operator==(const Span&, const Span&) = default;

 private:
  void reduce(Functional& row) const;

  std::size_t width_;
  std::vector<Functional> rows_;
  std::vector<std::size_t> pivots_;
};

/// What is in both spans, which have the same width.
Span intersection(const Span& a, const Span& b);

}  // namespace tacit
