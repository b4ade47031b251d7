#include "tacit/charter/bounds/row_space.hpp"

#include <algorithm>
#include <utility>

#include "tacit/secrecy/ring.hpp"

namespace tacit {
namespace {

constexpr Residue prime = (Residue{1} << 61) - 1;

Residue inverse(Residue a) {  // a^(p-2), Fermat
  Residue result = 1;
  for (Residue e = prime - 2; e != 0; e /= 2) {
    if (e % 2 == 1) result = multiply(result, a);
    a = multiply(a, a);
  }
  return result;
}

// row -= factor * other, from column `from` on.
void subtract(Functional& row, Residue factor, const Functional& other, std::size_t from) {
  const Residue minus = prime - factor;
  for (std::size_t k = from; k < row.size(); ++k)
    if (other[k] != 0) row[k] = add(row[k], multiply(minus, other[k]));
}

}  // namespace

Residue residue(std::int64_t a) {
  const std::int64_t rest = a % static_cast<std::int64_t>(prime);
  return static_cast<Residue>(rest < 0 ? rest + static_cast<std::int64_t>(prime) : rest);
}

Residue add(Residue a, Residue b) {
  const Residue sum = a + b;
  return sum >= prime ? sum - prime : sum;
}

Residue multiply(Residue a, Residue b) {
  const Word128 product = static_cast<Word128>(a) * b;  // 2^61 = 1, so the upper bits add to the lower
  return add(static_cast<Residue>(product & prime), static_cast<Residue>(product >> 61));
}

std::optional<std::pair<std::int64_t, std::int64_t>> fraction(Residue a) {
  // Euclid's algorithm on (p, a) until the rest is small, with the invariant rest = a * factor modulo p.
  constexpr std::int64_t small = std::int64_t{1} << 20;
  std::int64_t before = static_cast<std::int64_t>(prime), rest = static_cast<std::int64_t>(a);
  std::int64_t factor_before = 0, factor = 1;
  while (rest >= small) {
    const std::int64_t quotient = before / rest;
    before = std::exchange(rest, before - quotient * rest);
    factor_before = std::exchange(factor, factor_before - quotient * factor);
  }
  if (factor < 0) rest = -rest, factor = -factor;
  if (factor == 0 || factor >= small) return std::nullopt;
  return std::pair(rest, factor);
}

void Span::reduce(Functional& row) const {
  for (std::size_t r = 0; r < rows_.size(); ++r)
    if (row[pivots_[r]] != 0) subtract(row, row[pivots_[r]], rows_[r], pivots_[r]);
}

bool Span::contains(Functional row) const {
  reduce(row);
  return std::all_of(row.begin(), row.end(), [](Residue c) { return c == 0; });
}

bool Span::add(Functional row) {
  reduce(row);
  const auto lead = std::find_if(row.begin(), row.end(), [](Residue c) { return c != 0; });
  if (lead == row.end()) return false;
  const auto pivot = static_cast<std::size_t>(lead - row.begin());
  const Residue scale = inverse(*lead);
  for (Residue& c : row) c = multiply(c, scale);
  for (Functional& other : rows_)
    if (other[pivot] != 0) subtract(other, other[pivot], row, pivot);
  const auto place = std::lower_bound(pivots_.begin(), pivots_.end(), pivot) - pivots_.begin();
  rows_.insert(rows_.begin() + place, std::move(row));
  pivots_.insert(pivots_.begin() + place, pivot);
  return true;
}

Span intersection(const Span& a, const Span& b) {
  // Zassenhaus: reduce rows (x, x) for x in a and (y, 0) for y in b. A row (0, z) means that some x - y = 0
  // with x = z.
  const std::size_t width = a.width();
  Span both(2 * width), common(width);
  for (const Functional& x : a.rows()) {
    Functional row(x);
    row.insert(row.end(), x.begin(), x.end());
    both.add(std::move(row));
  }
  for (const Functional& y : b.rows()) {
    Functional row(y);
    row.resize(2 * width, 0);
    both.add(std::move(row));
  }
  for (std::size_t r = 0; r < both.rank(); ++r)
    if (both.pivots()[r] >= width)
      common.add(
          Functional(both.rows()[r].begin() + static_cast<std::ptrdiff_t>(width), both.rows()[r].end()));
  return common;
}

}  // namespace tacit
