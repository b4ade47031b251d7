// The public facts about a prediction by two servers: sizes, hyperparameters, ranges, and the numbers that
// follow from them. Part of the rival `shares`, a baseline for measurements (shares.hpp).
//
// Units keep all numbers small: inputs in √2 ℓ, outputs in y_max, covariances in θ_s² + σ_ε². Then the matrix
// to invert is A = ω E + (1 − ω) I with E_ij = exp(−|x_i − x_j|²/2ℓ²) and ω = θ_s²/(θ_s² + σ_ε²). It has ones
// on the diagonal, pivots between 1 − ω and 1, and entries of its factors below √(1/(1 − ω)).
#pragma once

#include "tacit/consortium/predict/local.hpp"
#include "tacit/lab/rivals/shares/reciprocal.hpp"
#include "tacit/lab/study/parties/parties.hpp"

namespace tacit::shares {

/// A matrix to invert: of one party, for one output.
struct Job {
  std::size_t party = 0, output = 0, rows = 0;
  double omega = 0;
  double prior = 0;  ///< V_i without rows: ω, or 1 if V_i includes the noise
};

struct Shape {
  std::vector<Job> jobs;  ///< in descending order of rows
  std::size_t first = 0;  ///< in a chunk (chunks_of): the index of its first job among all
  std::size_t parties = 0, inputs = 0, points = 0;
  std::vector<std::size_t> outputs;  ///< the outputs of these jobs
  unsigned squarings = 0;            ///< h of the exponential: e^t = (e^(t/2^h))^(2^h)
  Newton pivot, variance, fused;     ///< 1/d of pivots, 2^-s/V_i of parties, 2^-s/Σ of their sum
  unsigned scale = 0;                ///< s
  unsigned weight_bits = 0;          ///< fractional bits of Σ f_i/V_i
  double mean_bound = 0;             ///< an upper bound on |f_i| in y_max
  double variance_bound = 0;         ///< an upper bound on the fused variance in θ_s² + σ_ε²

  std::size_t most_rows() const { return jobs.front().rows; }
  /// The number of jobs with more than `rows` rows, which are the first ones.
  std::size_t with_more_rows(std::size_t rows) const;
  /// The index of the job's output among the outputs of the group.
  std::size_t output_index(const Job& job) const;
};

/// Splits the jobs into chunks of up to `chunk_numbers` covariances, with at least one job each. The kernel
/// and the posteriors take few rounds and long vectors, so they are processed by chunks: vectors stay in the
/// cache, and released memory is reused. The pivots of all jobs form short vectors and take thousands of
/// rounds, so they are not split.
std::vector<Shape> chunks_of(const Shape& shape);
inline constexpr std::size_t chunk_numbers = std::size_t{1} << 18;

/// The number of covariances of a job: between its rows, and between its rows and the points.
std::size_t covariances_of(const Shape& shape, const Job& job);

/// The approximate number of bytes of dealt numbers for a job.
double preparation_bytes(const Shape& shape, const Job& job);

/// The shape for these outputs. With `noise_in_variance`, V_i includes σ_ε². Throws InputError if the numbers
/// do not fit fixed point.
Shape shape_of(const Parties& parties, const OutputHyperparameters& shared,
               const std::vector<std::size_t>& outputs, bool noise_in_variance = false);

/// The factor that converts inputs to their units, and the public centre that is subtracted before.
double input_scale(const Hyperparameters& h, unsigned squarings);
Vector input_centre(const Parties& parties);

}  // namespace tacit::shares
