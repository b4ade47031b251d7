#include "tacit/lab/rivals/shares/inverse.hpp"

#include <algorithm>

namespace tacit::shares {
namespace {

// A square matrix opened under masks, which is filled step by step. The dealer's has only masks.
struct Square {
  explicit Square(std::size_t rows, bool opened)
      : n(rows), open(opened ? rows * rows : 0), mask(rows * rows) {}
  std::size_t n;
  Words open, mask;
};

// The working state of one matrix: L and C (the columns of L before division by their pivots) by columns, X
// by rows.
struct Work {
  Work(std::size_t rows, bool opened) : l(rows, opened), c(rows, opened), x(rows, opened) {}
  Square l, c, x;
};

std::vector<Work> works(const Shape& shape, bool opened) {
  std::vector<Work> all;
  for (const Job& job : shape.jobs) all.emplace_back(job.rows, opened);
  return all;
}

std::size_t rows_after(const Shape& shape, std::size_t jobs, std::size_t column) {
  std::size_t count = 0;
  for (std::size_t k = 0; k < jobs; ++k) count += shape.jobs[k].rows - column - 1;
  return count;
}

// Appends number k, `count` times.
void append(Masked& all, const Masked& from, std::size_t k, std::size_t count) {
  all.open.insert(all.open.end(), count, from.open[k]);
  all.carry.insert(all.carry.end(), count, from.carry[k]);
  all.lambda.insert(all.lambda.end(), count, from.lambda[k]);
  all.rho.insert(all.rho.end(), count, from.rho[k]);
}

void append(DealtMask& all, const DealtMask& from, std::size_t k, std::size_t count) {
  all.lambda.insert(all.lambda.end(), count, from.lambda[k]);
  all.rho.insert(all.rho.end(), count, from.rho[k]);
}

// 1/d_j for each row below the pivot.
template <class M>
M below_pivot(const M& pivots, const Shape& shape, std::size_t jobs, std::size_t column) {
  M all;
  for (std::size_t k = 0; k < jobs; ++k) append(all, pivots, k, shape.jobs[k].rows - column - 1);
  return all;
}

// The pivots of column j, which come first in each job's part of the column, and the numbers below them.
template <class M>
M heads(const M& column, const Shape& shape, std::size_t jobs, std::size_t j) {
  M all;
  for (std::size_t k = 0, place = 0; k < jobs; place += shape.jobs[k].rows - j, ++k)
    append(all, column, place, 1);
  return all;
}

Words tails(const Words& column, const Shape& shape, std::size_t jobs, std::size_t j) {
  Words all;
  for (std::size_t k = 0, place = 0; k < jobs; place += shape.jobs[k].rows - j, ++k) {
    const auto begin = column.begin() + static_cast<std::ptrdiff_t>(place);
    all.insert(all.end(), begin + 1, begin + static_cast<std::ptrdiff_t>(shape.jobs[k].rows - j));
  }
  return all;
}

// Stores the numbers of column j below the diagonal.
void put_column(std::vector<Work>& works, Square Work::*square, Words Square::*which, const Words& from,
                std::size_t jobs, std::size_t j) {
  auto next = from.begin();
  for (std::size_t k = 0; k < jobs; ++k) {
    Square& into = works[k].*square;
    const auto count = static_cast<std::ptrdiff_t>(into.n - j - 1);
    std::copy_n(next, count, (into.*which).begin() + static_cast<std::ptrdiff_t>(j * into.n + j + 1));
    next += count;
  }
}

// Stores the first i numbers of row i of X.
void put_row(std::vector<Work>& works, Words Square::*which, const Words& from, std::size_t jobs,
             std::size_t i) {
  for (std::size_t k = 0; k < jobs; ++k)
    std::copy_n(from.begin() + static_cast<std::ptrdiff_t>(k * i), i,
                (works[k].x.*which).begin() + static_cast<std::ptrdiff_t>(i * works[k].x.n));
}

// Shares of Σ_{k<j} ℓ_ik c_jk for i ≥ j, without the dealer's part.
void add_column_sums(std::span<Word> out, const Work& work, std::size_t j, bool first) {
  const std::size_t n = work.l.n;
  for (std::size_t k = 0; k < j; ++k) {
    const Word open = work.c.open[k * n + j], mask = work.c.mask[k * n + j];
    add_scaled(out, &work.l.open[k * n + j], (first ? open : 0) + mask, &work.l.mask[k * n + j], open);
  }
}

// Shares of Σ_{m<k<i} ℓ_ik x_km for m < i, without the dealer's part.
void add_row_sums(std::span<Word> out, const Work& work, std::size_t i, bool first) {
  const std::size_t n = work.l.n;
  for (std::size_t k = 1; k < i; ++k) {
    const Word open = work.l.open[k * n + i], mask = work.l.mask[k * n + i];
    add_scaled(out.first(k), &work.x.open[k * n], (first ? open : 0) + mask, &work.x.mask[k * n], open);
  }
}

// Column j of A − Σ ℓ c for i ≥ j, before truncation.
Words next_column(Server& server, const std::vector<Work>& works, const std::vector<Words>& below,
                  std::size_t jobs, std::size_t j) {
  Words sums;
  for (std::size_t k = 0; k < jobs; ++k) {
    const std::size_t from = sums.size(), n = works[k].l.n;
    sums.resize(from + n - j);
    add_column_sums(std::span(sums).subspan(from), works[k], j, server.first());
  }
  add_to(sums, server.preparation().dealt(sums.size()));
  std::size_t next = 0;
  for (std::size_t k = 0; k < jobs; ++k) {
    sums[next] = (server.first() ? Word{1} << (2 * fraction) : 0) - sums[next];
    ++next;
    for (std::size_t i = j + 1; i < works[k].l.n; ++i, ++next)
      sums[next] = (below[k][pair(i, j)] << fraction) - sums[next];
  }
  return sums;
}

// Row i of X, −ℓ_im − Σ ℓ x for m < i, before truncation.
Words next_row(Server& server, const std::vector<Work>& works, std::size_t jobs, std::size_t i) {
  Words sums(jobs * i);
  for (std::size_t k = 0; k < jobs; ++k)
    add_row_sums(std::span(sums).subspan(k * i, i), works[k], i, server.first());
  add_to(sums, server.preparation().dealt(sums.size()));
  for (std::size_t k = 0; k < jobs; ++k) {
    const Square& l = works[k].l;
    for (std::size_t m = 0; m < i; ++m) {
      const Word share = (server.first() ? l.open[m * l.n + i] : 0) + l.mask[m * l.n + i];
      sums[k * i + m] = -(share << fraction) - sums[k * i + m];
    }
  }
  return sums;
}

void deal_next_column(Dealer& dealer, const std::vector<Work>& works, std::size_t jobs, std::size_t j) {
  Words sums;
  for (std::size_t k = 0; k < jobs; ++k) {
    const std::size_t from = sums.size(), n = works[k].l.n;
    sums.resize(from + n - j);
    for (std::size_t m = 0; m < j; ++m)
      add_scaled(std::span(sums).subspan(from), &works[k].l.mask[m * n + j], works[k].c.mask[m * n + j]);
  }
  dealer.deal(sums);
}

void deal_next_row(Dealer& dealer, const std::vector<Work>& works, std::size_t jobs, std::size_t i) {
  Words sums(jobs * i);
  for (std::size_t k = 0; k < jobs; ++k) {
    const std::size_t n = works[k].l.n;
    for (std::size_t m = 1; m < i; ++m)
      add_scaled(std::span(sums).subspan(k * i, m), &works[k].x.mask[m * n], works[k].l.mask[m * n + i]);
  }
  dealer.deal(sums);
}

}  // namespace

std::uint64_t inversion_rounds(const Shape& shape, std::size_t rows) {
  return (2 * shape.pivot.factors.size() + 6) * rows - 6;
}

Task<Inverses> invert(Server& server, const Shape& shape, const std::vector<Words>& below,
                      AfterColumn after_column) {
  std::vector<Work> work = works(shape, true);
  Inverses result;
  Masked pivots = server.constant(shape.jobs.size(), encode(1));  // the first pivots are public
  Words column;
  for (std::size_t k = 0; k < shape.jobs.size(); ++k)
    for (std::size_t i = 1; i < shape.jobs[k].rows; ++i) column.push_back(below[k][pair(i, 0)]);

  for (std::size_t j = 0; j < shape.most_rows(); ++j) {
    result.pivots.push_back(co_await reciprocal(server, pivots, shape.pivot));
    const std::size_t jobs = shape.with_more_rows(j + 1);
    if (jobs > 0) {
      const Opened c = co_await server.open(std::move(column));
      put_column(work, &Work::c, &Square::open, c.open, jobs, j);
      put_column(work, &Work::c, &Square::mask, c.mask, jobs, j);
      const Masked divided = co_await server.truncate(
          server.product(c, below_pivot(result.pivots[j], shape, jobs, j)), fraction);
      const Opened l = co_await server.open(server.share_of(divided));
      put_column(work, &Work::l, &Square::open, l.open, jobs, j);
      put_column(work, &Work::l, &Square::mask, l.mask, jobs, j);
      const Masked next = co_await server.truncate(next_column(server, work, below, jobs, j + 1), fraction);
      pivots = heads(next, shape, jobs, j + 1);
      column = tails(server.share_of(next), shape, jobs, j + 1);
      const Masked row = co_await server.truncate(next_row(server, work, jobs, j + 1), fraction);
      const Opened x = co_await server.open(server.share_of(row));
      put_row(work, &Square::open, x.open, jobs, j + 1);
      put_row(work, &Square::mask, x.mask, jobs, j + 1);
    }
    if (after_column) after_column(j);
  }
  for (Work& one : work) result.factors.push_back({one.x.n, std::move(one.x.open), std::move(one.x.mask)});
  co_return result;
}

DealtInverses deal_inverses(Dealer& dealer, const Shape& shape, const AfterColumn& after_column) {
  std::vector<Work> work = works(shape, false);
  DealtInverses result;
  DealtMask pivots = deal_constant(shape.jobs.size());
  for (std::size_t j = 0; j < shape.most_rows(); ++j) {
    result.pivots.push_back(deal_reciprocal(dealer, pivots, shape.pivot));
    const std::size_t jobs = shape.with_more_rows(j + 1);
    if (jobs > 0) {
      const std::size_t under = rows_after(shape, jobs, j);
      const Words c = deal_open(dealer, under);
      put_column(work, &Work::c, &Square::mask, c, jobs, j);
      deal_product(dealer, c, below_pivot(result.pivots[j], shape, jobs, j));
      deal_truncate(dealer, under, fraction);
      put_column(work, &Work::l, &Square::mask, deal_open(dealer, under), jobs, j);
      deal_next_column(dealer, work, jobs, j + 1);
      pivots = heads(deal_truncate(dealer, under, fraction), shape, jobs, j + 1);
      deal_next_row(dealer, work, jobs, j + 1);
      deal_truncate(dealer, jobs * (j + 1), fraction);
      put_row(work, &Square::mask, deal_open(dealer, jobs * (j + 1)), jobs, j + 1);
    }
    if (after_column) after_column(j);
  }
  for (Work& one : work) result.masks.push_back(std::move(one.x.mask));
  return result;
}

namespace {

template <class M, class I>
M spread_rows(const I& inverses, const Shape& shape, std::size_t count) {
  M all;
  for (std::size_t k = 0; k < shape.jobs.size(); ++k)
    for (std::size_t j = 0; j < shape.jobs[k].rows; ++j)
      append(all, inverses.pivots[j], shape.first + k, count);
  return all;
}

}  // namespace

Masked spread_pivots(const Inverses& inverses, const Shape& shape, std::size_t count) {
  return spread_rows<Masked>(inverses, shape, count);
}

DealtMask spread_pivots(const DealtInverses& inverses, const Shape& shape, std::size_t count) {
  return spread_rows<DealtMask>(inverses, shape, count);
}

}  // namespace tacit::shares
