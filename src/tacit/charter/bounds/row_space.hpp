// Exact linear algebra that decides whether some functionals determine another one.
//
// Coefficients are integers modulo the prime 2^61 - 1. Weights are integers in units of L_w, so nothing is
// rounded. A rank modulo a prime never exceeds the true rank. It is lower only if the prime divides a minor,
// which for this prime is as unlikely as guessing 61 bits.
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

/// The fraction n/d with |n|, d < 2^20 that equals this number, if one exists.
std::optional<std::pair<std::int64_t, std::int64_t>> fraction(Residue a);

/// All combinations of some functionals, stored as a reduced row echelon basis: each pivot is 1 and the only
/// nonzero entry of its column. Small sets of agents whose sums are determined appear as rows.
class Span {
 public:
  explicit Span(std::size_t width) : width_(width) {}

  /// Adds a functional of `width` coefficients. Returns false if it was already in the span.
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

/// The intersection of two spans of the same width.
Span intersection(const Span& a, const Span& b);

}  // namespace tacit
