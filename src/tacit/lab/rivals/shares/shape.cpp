#include "tacit/lab/rivals/shares/shape.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "tacit/base/error.hpp"

namespace tacit::shares {
namespace {

constexpr unsigned most_squarings = 12;  // each costs one bit of precision
constexpr unsigned precise_bits = 34;    // fractional bits of 1/V, which may be small

// The ranges of the inputs. In a deployment they are public facts; here they are taken from the data.
struct Ranges {
  Vector low, high;
};

Ranges ranges_of(const Parties& parties) {
  Ranges ranges{parties.test.inputs.colwise().minCoeff(), parties.test.inputs.colwise().maxCoeff()};
  for (const Samples& agent : parties.agents) {
    ranges.low = ranges.low.cwiseMin(agent.inputs.colwise().minCoeff().transpose());
    ranges.high = ranges.high.cwiseMax(agent.inputs.colwise().maxCoeff().transpose());
  }
  return ranges;
}

// The largest |x − c|² of a row or test point, where c is the centre of the ranges. It is as public as the
// ranges. Twice the radius is a tighter bound on distances than the diagonal of the ranges, in particular for
// many inputs.
double radius2_of(const Parties& parties) {
  const Vector centre = input_centre(parties);
  const auto most = [&](const Matrix& points) {
    return (points.rowwise() - centre.transpose()).rowwise().squaredNorm().maxCoeff();
  };
  double radius2 = most(parties.test.inputs);
  for (const Samples& agent : parties.agents) radius2 = std::max(radius2, most(agent.inputs));
  return radius2;
}

double omega_of(const Hyperparameters& h) {
  const double signal = h.signal * h.signal, noise = h.noise * h.noise;
  return signal / (signal + noise);
}

// The largest θ_s/σ_ε for which both κ = 1 + (θ_s/σ_ε)² and √(N κ) stay below 1,024.
double most_signal(double rows) {
  return std::sqrt(std::max(0.0, std::min(largest, largest * largest / rows) - 1));
}

unsigned bits_over(double x) { return static_cast<unsigned>(std::max(0.0, std::ceil(std::log2(x)))); }

}  // namespace

std::size_t Shape::with_more_rows(std::size_t rows) const {
  return static_cast<std::size_t>(
      std::ranges::partition_point(jobs, [&](const Job& job) { return job.rows > rows; }) - jobs.begin());
}

std::size_t Shape::output_index(const Job& job) const {
  return static_cast<std::size_t>(std::ranges::find(outputs, job.output) - outputs.begin());
}

std::size_t covariances_of(const Shape& shape, const Job& job) {
  return job.rows * (job.rows - 1) / 2 + job.rows * shape.points;
}

std::vector<Shape> chunks_of(const Shape& shape) {
  std::vector<Shape> chunks;
  std::size_t numbers = 0;
  for (std::size_t k = 0; k < shape.jobs.size(); ++k) {
    const std::size_t more = covariances_of(shape, shape.jobs[k]);
    if (chunks.empty() || numbers + more > chunk_numbers) {
      chunks.push_back(shape);
      chunks.back().jobs.clear();
      chunks.back().first = k;
      numbers = 0;
    }
    chunks.back().jobs.push_back(shape.jobs[k]);
    numbers += more;
  }
  return chunks;
}

double preparation_bytes(const Shape& shape, const Job& job) {
  const auto n = static_cast<double>(job.rows), points = static_cast<double>(shape.points);
  const double kernel = (n * n / 2 + n * points) * (7 + 4 * shape.squarings);
  return 8 * (kernel + 5 * n * n + n * points * 8 + n * 80);
}

double input_scale(const Hyperparameters& h, unsigned squarings) {
  return std::exp2(-0.5 * squarings) / (std::sqrt(2.0) * h.lengthscale);
}

Vector input_centre(const Parties& parties) {
  const Ranges ranges = ranges_of(parties);
  return (ranges.low + ranges.high) / 2;
}

Shape shape_of(const Parties& parties, const OutputHyperparameters& shared,
               const std::vector<std::size_t>& outputs, bool noise_in_variance) {
  Shape shape;
  shape.outputs = outputs;
  shape.parties = parties.agents.size();
  shape.inputs = static_cast<std::size_t>(parties.test.inputs.cols());
  shape.points = static_cast<std::size_t>(parties.test.inputs.rows());
  const double diameter2 = 4 * radius2_of(parties);
  const auto rows = static_cast<double>(parties.most_rows());
  double least_omega = 1, most_omega = 0;
  for (const std::size_t output : outputs) {
    const Hyperparameters& h = shared.at(output);
    check_hyperparameters(h);
    for (std::size_t i = 0; i < shape.parties; ++i)
      shape.jobs.push_back({i, output, static_cast<std::size_t>(parties.agents[i].inputs.rows()), omega_of(h),
                            noise_in_variance ? 1 : omega_of(h)});
    least_omega = std::min(least_omega, omega_of(h));
    most_omega = std::max(most_omega, omega_of(h));
    // |t| / 2^h stays below 0.99, so that it does not exceed 1 after rounding.
    shape.squarings =
        std::max(shape.squarings, bits_over(diameter2 / (2 * h.lengthscale * h.lengthscale) / 0.99));
  }
  std::ranges::stable_sort(shape.jobs, std::greater{}, &Job::rows);

  if (shape.squarings > most_squarings)
    throw InputError(fmt::format(
        "two servers cannot hold this model in fixed point: inputs differ by up to {:.3g}, but the "
        "shortest length-scale allows at most {:.3g}; use longer length-scales",
        std::sqrt(diameter2),
        std::sqrt(diameter2) * std::exp2(0.5 * (most_squarings - 1.0 * shape.squarings))));
  const double condition = 1 / (1 - most_omega);
  shape.mean_bound = std::sqrt(rows * condition);
  if (!(shape.mean_bound < largest) || !(condition < largest))
    throw InputError(fmt::format(
        "two servers cannot hold this model in fixed point: the signal is {:.3g} times the noise, but {} "
        "fractional bits with {} rows allow {:.3g} times; use more noise or fewer rows",
        std::sqrt(condition - 1), fraction, parties.most_rows(), most_signal(rows)));
  shape.pivot = newton(1 - most_omega, 1, 0, fraction, pivot_steps);

  // The latent variance of N rows is at least that of N rows at the point itself.
  const double noise = noise_in_variance ? 1 - most_omega : 0;
  const double least_variance = 1 / (1 / least_omega + rows * condition) + noise;
  const double most_variance = noise_in_variance ? 1 : most_omega;
  const auto count = static_cast<double>(shape.parties);
  shape.scale = std::max(8U, bits_over(1 / least_variance));
  const double unit = std::ldexp(1, -static_cast<int>(shape.scale));
  shape.variance = newton(least_variance, most_variance, shape.scale, precise_bits, 1);
  shape.fused =
      newton(count * unit / most_variance, count * unit / least_variance, shape.scale, precise_bits, 1);
  shape.weight_bits = 27 + shape.scale - std::max(3U, bits_over(shape.mean_bound));
  shape.variance_bound = 1.01 * most_variance / count;
  return shape;
}

}  // namespace tacit::shares
