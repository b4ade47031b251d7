#include "tacit/lab/rivals/shares/kernel.hpp"

#include <cmath>

namespace tacit::shares {
namespace {

constexpr unsigned correction_bits = 29;
constexpr unsigned window_bits = fraction + 1;  // numbers modulo 2
constexpr Word window = (Word{1} << window_bits) - 1;
// Added to t, so that it is between 0 and 1. Slightly less than 1, so that the sum does not exceed 1 after
// rounding.
constexpr double lift = 1 - 0x1p-20;

std::size_t count_of(const Shape& shape) {
  std::size_t count = 0;
  for (const Job& job : shape.jobs) count += covariances_of(shape, job);
  return count;
}

// Appends the required entries of a matrix rows x (rows + points), stored by rows.
void append_asked(Words& out, WordsView matrix, std::size_t rows, std::size_t points) {
  const std::size_t width = rows + points;
  const auto append = [&](std::size_t row, std::size_t from, std::size_t count) {
    const auto begin = matrix.begin() + static_cast<std::ptrdiff_t>(row * width + from);
    out.insert(out.end(), begin, begin + static_cast<std::ptrdiff_t>(count));
  };
  for (std::size_t i = 0; i < rows; ++i) append(i, 0, i);
  for (std::size_t i = 0; i < rows; ++i) append(i, rows, points);
}

// Shares of −|x_i − x_j|² of one job, with 52 fractional bits, without the dealer's part.
void append_exponents(Words& out, bool first, WordsView open, WordsView mask, WordsView norms, const Job& job,
                      const Shape& shape) {
  const std::size_t all = job.rows + shape.points, k = shape.inputs;
  Words other(mask.begin(), mask.end());
  if (first) add_to(other, open);
  Words matrix(job.rows * all);
  add_product(matrix, open.first(job.rows * k), other, k);
  add_product(matrix, mask.first(job.rows * k), open, k);
  for (std::size_t i = 0; i < job.rows; ++i)
    for (std::size_t j = 0; j < all; ++j) matrix[i * all + j] = 2 * matrix[i * all + j] - norms[i] - norms[j];
  append_asked(out, matrix, job.rows, shape.points);
}

}  // namespace

Task<Masked> exponential(Server& server, Words t, const std::vector<double>& roots) {
  if (server.first())
    for (Word& z : t) z += encode(lift, 2 * fraction);
  const Masked confused = co_await server.truncate(std::move(t), fraction);
  const std::size_t n = confused.size();
  const Words high = server.preparation().dealt(n), low = server.preparation().dealt(n);
  Words corrected(n);
  for (std::size_t i = 0; i < n; ++i) {
    const Word seen = confused.open[i] & window;
    const bool top = seen >> fraction;
    const double factor = roots[i] * std::exp(decode(seen) - (top ? lift : 0));
    corrected[i] = encode(factor, correction_bits) * (top ? high[i] : low[i]);
  }
  co_return co_await server.truncate(std::move(corrected), 2 * correction_bits - fraction);
}

DealtMask deal_exponential(Dealer& dealer, std::size_t count) {
  const DealtMask mask = deal_truncate(dealer, count, fraction);
  Words high(count), low(count);
  for (std::size_t i = 0; i < count; ++i) {
    const Word r = mask.lambda[i] & window;
    high[i] = encode(std::exp(-decode(r)), correction_bits);
    // The sum is below 1 although the mask exceeds 1, so it has wrapped by 2.
    low[i] = encode(std::exp((r >> fraction ? 2 : 0) - lift - decode(r)), correction_bits);
  }
  dealer.deal(high);
  dealer.deal(low);
  return deal_truncate(dealer, count, 2 * correction_bits - fraction);
}

namespace {

// Appends the covariances of one chunk to `all`.
Task<bool> append_covariances(Server& server, const Shape& shape, const std::vector<Rows>& all_rows,
                              std::vector<Covariances>& all) {
  const std::span<const Rows> rows = std::span(all_rows).subspan(shape.first, shape.jobs.size());
  Words inputs;
  for (const Rows& one : rows) inputs.insert(inputs.end(), one.inputs.begin(), one.inputs.end());
  const Opened opened = co_await server.open(std::move(inputs));

  Words t;
  std::vector<double> roots;
  std::size_t at = 0;
  for (std::size_t k = 0; k < shape.jobs.size(); ++k) {
    const Job& job = shape.jobs[k];
    const std::size_t size = rows[k].inputs.size();
    append_exponents(t, server.first(), WordsView(opened.open).subspan(at, size),
                     WordsView(opened.mask).subspan(at, size), rows[k].norms, job, shape);
    roots.resize(t.size(), std::pow(job.omega, std::exp2(-static_cast<double>(shape.squarings))));
    at += size;
  }
  const Words dealt = server.preparation().dealt(t.size());
  for (std::size_t i = 0; i < t.size(); ++i) t[i] += 2 * dealt[i];

  Masked e = co_await exponential(server, std::move(t), roots);
  for (unsigned h = 0; h < shape.squarings; ++h) e = co_await server.truncate(server.square(e), fraction);

  const Words shares = server.share_of(e);
  auto from = shares.begin();
  const auto take = [&](std::size_t count) {
    const auto begin = from;
    from += static_cast<std::ptrdiff_t>(count);
    return Words(begin, from);
  };
  for (const Job& job : shape.jobs) {
    Words pairs = take(pairs_of(job.rows));
    all.push_back({std::move(pairs), take(job.rows * shape.points)});
  }
  co_return true;
}

void deal_chunk(Dealer& dealer, const Shape& shape) {
  std::size_t numbers = 0;
  for (const Job& job : shape.jobs) numbers += (job.rows + shape.points) * shape.inputs;
  const Words mask = deal_open(dealer, numbers);
  Words products;
  std::size_t at = 0;
  for (const Job& job : shape.jobs) {
    const std::size_t all = job.rows + shape.points;
    const WordsView own = WordsView(mask).subspan(at, all * shape.inputs);
    Words matrix(job.rows * all);
    add_product(matrix, own.first(job.rows * shape.inputs), own, shape.inputs);
    append_asked(products, matrix, job.rows, shape.points);
    at += own.size();
  }
  dealer.deal(products);
  DealtMask e = deal_exponential(dealer, count_of(shape));
  for (unsigned h = 0; h < shape.squarings; ++h) {
    deal_square(dealer, e);
    e = deal_truncate(dealer, e.size(), fraction);
  }
}

}  // namespace

Task<std::vector<Covariances>> covariances(Server& server, const Shape& shape,
                                           const std::vector<Rows>& rows) {
  std::vector<Covariances> all;
  const std::vector<Shape> chunks = chunks_of(shape);
  for (const Shape& chunk : chunks) co_await append_covariances(server, chunk, rows, all);
  co_return all;
}

void deal_covariances(Dealer& dealer, const Shape& shape) {
  for (const Shape& chunk : chunks_of(shape)) deal_chunk(dealer, chunk);
}

}  // namespace tacit::shares
