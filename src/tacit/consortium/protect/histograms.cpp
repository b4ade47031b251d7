#include "tacit/consortium/protect/histograms.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "tacit/base/error.hpp"
#include "tacit/base/rounded.hpp"

namespace tacit {
namespace {

constexpr std::size_t bin_choices[] = {64, 48, 32, 24, 16, 11, 8};
constexpr double farthest_value = 4;  // in standard units
// A bin with this many times the mean mass of bins is an atom: a value that many rows have.
constexpr double mass_of_atoms = 4;

// Returns the bin of x, for a range that is not empty.
std::size_t bin_of(const PublicColumn& column, std::size_t bins, double x) {
  const double at = static_cast<double>(bins) * (std::clamp(x, column.low, column.high) - column.low) /
                    (column.high - column.low);
  return std::min(static_cast<std::size_t>(at), bins - 1);
}

void check_range(const PublicColumn& column) {
  if (!std::isfinite(column.low) || !std::isfinite(column.high) || !(column.low < column.high) ||
      !std::isfinite(column.high - column.low))
    throw InputError(fmt::format("a column has the public range {:g} to {:g}; its low must be below its high",
                                 column.low, column.high));
  if (column.spread && !(*column.spread > 0 && std::isfinite(*column.spread)))
    throw InputError(
        fmt::format("the public spread of a column is {:g}; it must be positive", *column.spread));
}

// The marginal of noisy counts.
Marginal marginal_of(const PublicColumn& column, std::span<const double> noisy, double noise) {
  const std::size_t bins = noisy.size();
  std::vector<double> counts(noisy.begin(), noisy.end());
  double sum = 0;
  for (double& count : counts) {
    if (count < noise || !(count > 0)) count = 0;  // small counts are mostly noise
    sum += count;
  }
  if (!(sum > 0)) {
    std::ranges::fill(counts, 1.0);
    sum = static_cast<double>(bins);
  }
  Marginal result{column.low, column.high, 0, 0, {0}};
  const double width = (column.high - column.low) / static_cast<double>(bins);
  const auto middle = [&](std::size_t bin) { return column.low + (static_cast<double>(bin) + 0.5) * width; };
  double below = 0;
  for (std::size_t bin = 0; bin < bins; ++bin) {
    below += counts[bin];
    result.below.push_back(below / sum);
    result.centre += counts[bin] / sum * middle(bin);
  }
  double square = 0;
  for (std::size_t bin = 0; bin < bins; ++bin)
    square += counts[bin] / sum * std::pow(middle(bin) - result.centre, 2);
  result.centre = rounded(result.centre);
  // The spread within a bin is a lower limit.
  result.spread = rounded(std::max(std::sqrt(square), width / std::sqrt(12.0)));
  return result;
}

}  // namespace

double Marginal::share(double x) const {
  const std::size_t bins = below.size() - 1;
  const double at = static_cast<double>(bins) * (std::clamp(x, low, high) - low) / (high - low);
  const std::size_t bin = std::min(static_cast<std::size_t>(at), bins - 1);
  const double mass = below[bin + 1] - below[bin];
  if (mass * static_cast<double>(bins) > mass_of_atoms) return below[bin] + mass / 2;
  return below[bin] + (at - static_cast<double>(bin)) * mass;
}

double Marginal::quantile(double share) const {
  const std::size_t bins = below.size() - 1;
  const auto above = std::ranges::upper_bound(below, share);
  const std::size_t bin =
      std::min(static_cast<std::size_t>(std::max<std::ptrdiff_t>(above - below.begin(), 1)) - 1, bins - 1);
  const double mass = below[bin + 1] - below[bin];
  const double within = mass > 0 ? std::clamp((share - below[bin]) / mass, 0.0, 1.0) : 1;
  return low + (high - low) * (static_cast<double>(bin) + within) / static_cast<double>(bins);
}

double Marginal::standard(double x) const {
  return std::clamp((x - centre) / spread, -farthest_value, farthest_value);
}

Matrix Scales::standard_inputs(const Matrix& rows) const {
  Matrix result(rows.rows(), rows.cols());
  for (Index row = 0; row < rows.cols(); ++row)
    for (Index k = 0; k < rows.rows(); ++k)
      result(k, row) = columns[static_cast<std::size_t>(k)].standard(rows(k, row));
  return result;
}

Vector Scales::standard_targets(const Vector& targets) const {
  return targets.unaryExpr([&](double y) { return target().standard(y); });
}

std::size_t choose_bins(double rows, double noise) {
  const double most = rows >= 600 ? 0.75 : 0.25;
  for (const std::size_t bins : bin_choices)
    if (noise <= most * rows / static_cast<double>(bins)) return bins;
  return 0;
}

Scales public_scales(const std::vector<PublicColumn>& columns) {
  Scales scales;
  for (const PublicColumn& column : columns) {
    check_range(column);
    scales.columns.push_back({column.low,
                              column.high,
                              column.centre.value_or(column.low / 2 + column.high / 2),
                              column.spread.value_or((column.high - column.low) / 4),
                              {}});
  }
  return scales;
}

Task<Scales> open_scales(ProtectedRun& run, const std::vector<PublicColumn>& columns, const OwnRows& mine,
                         double rows, double rho) {
  for (const PublicColumn& column : columns) check_range(column);
  const auto many = static_cast<double>(columns.size());
  // A key has one bin in each column; a changed key moves from one bin to another in each.
  Opening opening{"histograms", 1, many, 2 * many, rho};
  const std::size_t bins = choose_bins(rows, run.noise_of(opening));
  if (bins == 0) co_return public_scales(columns);
  opening.dimension = bins * columns.size();
  const KeyTerms terms = mean_terms(mine, [&](Index row, std::span<double> term) {
    for (std::size_t k = 0; k < columns.size(); ++k) {
      const double x =
          k + 1 < columns.size() ? mine.inputs()(static_cast<Index>(k), row) : mine.targets()(row);
      term[k * bins + bin_of(columns[k], bins, x)] = 1;
    }
  });
  const OpenedSum opened = co_await run.sum(opening, terms);
  Scales scales{bins, {}};
  for (std::size_t k = 0; k < columns.size(); ++k)
    scales.columns.push_back(
        marginal_of(columns[k], std::span(opened.total).subspan(k * bins, bins), opened.noise));
  co_return scales;
}

}  // namespace tacit
