#include "tacit/lab/rivals/shares/predict.hpp"

#include <cmath>

namespace tacit::shares {
namespace {

constexpr unsigned weight_shift = 8;  // from the 34 bits of 1/V to 26

void append(Words& all, WordsView more) { all.insert(all.end(), more.begin(), more.end()); }

std::size_t all_rows(const Shape& shape) {
  std::size_t rows = 0;
  for (const Job& job : shape.jobs) rows += job.rows;
  return rows;
}

// The part of each job in a vector with `count` numbers for each row of each job.
struct Part {
  std::size_t from, size;
};
std::vector<Part> parts_of(const Shape& shape, std::size_t count) {
  std::vector<Part> parts;
  std::size_t from = 0;
  for (const Job& job : shape.jobs) {
    parts.push_back({from, job.rows * count});
    from += job.rows * count;
  }
  return parts;
}

Opened part_of(const Opened& all, Part part) {
  const auto cut = [&](const Words& words) {
    const auto begin = words.begin() + static_cast<std::ptrdiff_t>(part.from);
    return Words(begin, begin + static_cast<std::ptrdiff_t>(part.size));
  };
  return {cut(all.open), cut(all.mask)};
}

// The mask, plus the opened number at the first server: the factor for the opened number of the other
// operand.
Words beside(const Opened& x, bool first) {
  Words sum = x.mask;
  if (first) add_to(sum, x.open);
  return sum;
}

// Shares of X b for b of rows x count, without the diagonal of X and without the dealer's part.
void append_solved(Words& out, const Inverse& x, const Opened& b, std::size_t count, bool first) {
  const Words other = beside(b, first);
  const std::size_t from = out.size(), n = x.rows;
  out.resize(from + n * count);
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t m = 0; m < i; ++m)
      add_scaled(std::span(out).subspan(from + i * count, count), &other[m * count], x.open[i * n + m],
                 &b.open[m * count], x.mask[i * n + m]);
}

void deal_solved(Words& out, WordsView x, WordsView b, std::size_t n, std::size_t count) {
  const std::size_t from = out.size();
  out.resize(from + n * count);
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t m = 0; m < i; ++m)
      add_scaled(std::span(out).subspan(from + i * count, count), &b[m * count], x[i * n + m]);
}

// Shares of Σ g w and of Σ g v over the rows of a job, for each point, without the dealer's part.
struct Posterior {
  Words mean, explained;
};
void append_posterior(Posterior& out, const Opened& g, const Opened& v, const Opened& w, std::size_t rows,
                      std::size_t points, bool first) {
  const Words other_v = beside(v, first), other_w = beside(w, first);
  Words mean(points), explained(points);
  for (std::size_t i = 0; i < rows; ++i) {
    add_scaled(mean, &g.open[i * points], other_w[i], &g.mask[i * points], w.open[i]);
    const std::size_t at = i * points;
    add_products(explained, &g.open[at], &other_v[at], &g.mask[at], &v.open[at]);
  }
  append(out.mean, mean);
  append(out.explained, explained);
}

// The sums over the parties, outputs x points.
Words over_parties(const Shape& shape, const Words& by_job) {
  Words sums(shape.outputs.size() * shape.points);
  for (std::size_t k = 0; k < shape.jobs.size(); ++k)
    add_to(std::span(sums).subspan(shape.output_index(shape.jobs[k]) * shape.points, shape.points),
           WordsView(by_job).subspan(k * shape.points, shape.points));
  return sums;
}

unsigned mean_shift(const Shape& shape) {
  return shape.weight_bits + shape.fused.bits - shape.scale - fraction;
}

// The posteriors of all jobs.
struct Posteriors {
  Masked mean, variance;
};
// Appends the posteriors of a chunk to `all`.
Task<bool> append_posteriors(Server& server, const Shape& shape, const std::vector<Covariances>& covariances,
                             const std::vector<Rows>& rows, const Inverses& inverses, Posteriors& all) {
  const std::size_t points = shape.points, numbers = all_rows(shape) * points;
  const bool first = server.first();
  Words asked;
  const std::size_t jobs = shape.jobs.size();
  for (const Covariances& one : std::span(covariances).subspan(shape.first, jobs)) append(asked, one.points);
  for (const Rows& one : std::span(rows).subspan(shape.first, jobs)) append(asked, one.outputs);
  const Opened opened = co_await server.open(asked);

  const std::vector<Part> wide = parts_of(shape, points), narrow = parts_of(shape, 1);
  const auto narrow_part = [&](const Opened& opening, std::size_t k, std::size_t from) {
    return part_of(opening, {from + narrow[k].from, narrow[k].size});
  };
  Words solved;
  for (std::size_t k = 0; k < wide.size(); ++k)
    append_solved(solved, inverses.factors[shape.first + k], part_of(opened, wide[k]), points, first);
  for (std::size_t k = 0; k < wide.size(); ++k)
    append_solved(solved, inverses.factors[shape.first + k], narrow_part(opened, k, numbers), 1, first);
  add_to(solved, server.preparation().dealt(solved.size()));
  for (std::size_t i = 0; i < solved.size(); ++i) solved[i] += asked[i] << fraction;
  const Masked both = co_await server.truncate(std::move(solved), fraction);  // v, then w

  const Masked pivots = spread_pivots(inverses, shape, points);
  const Masked g = co_await server.truncate(server.product(both.part(0, numbers), pivots), fraction);
  Words shares = server.share_of(g);
  append(shares, server.share_of(both));
  const Opened factors = co_await server.open(std::move(shares));  // g, v, w

  Posterior sums;
  for (std::size_t k = 0; k < wide.size(); ++k)
    append_posterior(sums, part_of(factors, wide[k]),
                     part_of(factors, {numbers + wide[k].from, wide[k].size}),
                     narrow_part(factors, k, 2 * numbers), shape.jobs[k].rows, points, first);
  append(sums.mean, sums.explained);
  add_to(sums.mean, server.preparation().dealt(sums.mean.size()));
  const std::size_t means = shape.jobs.size() * points;
  for (std::size_t k = 0; k < shape.jobs.size(); ++k)
    for (std::size_t p = 0; p < points; ++p) {
      Word& z = sums.mean[means + k * points + p];
      z = (first ? encode(shape.jobs[k].prior, 2 * fraction) : 0) - z;
    }
  const Masked result = co_await server.truncate(std::move(sums.mean), fraction);
  all.mean.append(result.part(0, means));
  all.variance.append(result.part(means, means));
  co_return true;
}

struct DealtPosteriors {
  DealtMask mean, variance;
};
void deal_posteriors(Dealer& dealer, const Shape& shape, const DealtInverses& inverses,
                     DealtPosteriors& all) {
  const std::size_t points = shape.points, numbers = all_rows(shape) * points, rows = all_rows(shape);
  const Words asked = deal_open(dealer, numbers + rows);
  const std::vector<Part> wide = parts_of(shape, points), narrow = parts_of(shape, 1);
  Words solved;
  for (std::size_t k = 0; k < wide.size(); ++k)
    deal_solved(solved, inverses.masks[shape.first + k], WordsView(asked).subspan(wide[k].from, wide[k].size),
                shape.jobs[k].rows, points);
  for (std::size_t k = 0; k < wide.size(); ++k)
    deal_solved(solved, inverses.masks[shape.first + k],
                WordsView(asked).subspan(numbers + narrow[k].from, narrow[k].size), shape.jobs[k].rows, 1);
  dealer.deal(solved);
  const DealtMask both = deal_truncate(dealer, solved.size(), fraction);
  deal_product(dealer, both.part(0, numbers), spread_pivots(inverses, shape, points));
  deal_truncate(dealer, numbers, fraction);

  const Words factors = deal_open(dealer, numbers + solved.size());
  Words sums(2 * shape.jobs.size() * points);
  const std::size_t means = shape.jobs.size() * points;
  for (std::size_t k = 0; k < wide.size(); ++k)
    for (std::size_t i = 0; i < shape.jobs[k].rows; ++i) {
      const Word* g = &factors[wide[k].from + i * points];
      const Word* v = &factors[numbers + wide[k].from + i * points];
      const Word w = factors[2 * numbers + narrow[k].from + i];
      add_scaled(std::span(sums).subspan(k * points, points), g, w);
      add_products(std::span(sums).subspan(means + k * points, points), g, v);
    }
  dealer.deal(sums);
  const DealtMask result = deal_truncate(dealer, sums.size(), fraction);
  all.mean.append(result.part(0, means));
  all.variance.append(result.part(means, means));
}

}  // namespace

Task<FusedShares> predict(Server& server, const Shape& shape, const std::vector<Covariances>& covariances,
                          const std::vector<Rows>& rows, const Inverses& inverses) {
  Posteriors alone;
  const std::vector<Shape> chunks = chunks_of(shape);
  for (const Shape& chunk : chunks)
    co_await append_posteriors(server, chunk, covariances, rows, inverses, alone);
  const Masked precise = co_await reciprocal(server, alone.variance, shape.variance);
  // Weights are rounded once and then used in both sums, so that rounding changes the weights but does not
  // bias the mean.
  const Masked weights = co_await server.truncate(server.share_of(precise), weight_shift);
  const Masked weighted = co_await server.truncate(over_parties(shape, server.product(alone.mean, weights)),
                                                   2 * fraction - shape.weight_bits);
  const Masked sum = co_await server.truncate(over_parties(shape, server.share_of(weights)), 0);
  const Masked variance = co_await reciprocal(server, sum, shape.fused);
  const Masked mean = co_await server.truncate(server.product(weighted, variance), mean_shift(shape));
  co_return FusedShares{server.share_of(mean), server.share_of(variance)};
}

void deal_prediction(Dealer& dealer, const Shape& shape, const DealtInverses& inverses) {
  DealtPosteriors alone;
  for (const Shape& chunk : chunks_of(shape)) deal_posteriors(dealer, chunk, inverses, alone);
  const std::size_t fused = shape.outputs.size() * shape.points;
  deal_reciprocal(dealer, alone.variance, shape.variance);
  const DealtMask weights = deal_truncate(dealer, alone.mean.size(), weight_shift);
  deal_product(dealer, alone.mean, weights);
  const DealtMask weighted = deal_truncate(dealer, fused, 2 * fraction - shape.weight_bits);
  const DealtMask sum = deal_truncate(dealer, fused, 0);
  const DealtMask variance = deal_reciprocal(dealer, sum, shape.fused);
  deal_product(dealer, weighted, variance);
  deal_truncate(dealer, fused, mean_shift(shape));
}

}  // namespace tacit::shares
