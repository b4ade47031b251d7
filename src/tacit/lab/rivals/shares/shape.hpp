// What is public about a prediction by two servers: sizes, hyperparameters, ranges, and the numbers that
// follow from them. Part of the rival `shares`, a baseline for measuring (shares.hpp).
//
// All is in units that keep numbers small: inputs in √2 ℓ, outputs in y_max, covariances in θ_s² + σ_ε². Then
// the matrix to invert is A = ω E + (1 − ω) I with E_ij = exp(−|x_i − x_j|²/2ℓ²), ω = θ_s²/(θ_s² + σ_ε²):
// ones on the diagonal, pivots between 1 − ω and 1, entries of its factors under √(1/(1 − ω)).
#pragma once

#include "tacit/consortium/predict/local.hpp"
#include "tacit/lab/rivals/shares/reciprocal.hpp"
#include "tacit/lab/study/parties.hpp"

namespace tacit::shares {

/// A matrix to invert: one party's, for one output.
struct Job {
  std::size_t party = 0, output = 0, rows = 0;
  double omega = 0;
  double prior = 0;  ///< V_i without rows: ω, or 1 when the noise is in V_i
};

struct Shape {
  std::vector<Job> jobs;  ///< those with most rows first
  std::size_t first = 0;  ///< of a chunk (chunks_of): the place of its first job among all
  std::size_t parties = 0, inputs = 0, points = 0;
  std::vector<std::size_t> outputs;  ///< the outputs that these jobs are for
  unsigned squarings = 0;            ///< of the exponential: e^t = (e^(t/2^h))^(2^h)
  Newton pivot, variance, fused;     ///< 1/d of pivots, 2^-s/V_i of parties, 2^-s/Σ of their sum
  unsigned scale = 0;                ///< s
  unsigned weight_bits = 0;          ///< fractional bits of Σ f_i/V_i
  double mean_bound = 0;             ///< |f_i| in y_max is less
  double variance_bound = 0;         ///< the fused variance in θ_s² + σ_ε² is less

  std::size_t most_rows() const { return jobs.front().rows; }
  /// How many jobs have more than `rows` rows: they are the first ones.
  std::size_t with_more_rows(std::size_t rows) const;
  /// A job's place among the group's outputs.
  std::size_t output_index(const Job& job) const;
};

/// The same with some of the jobs in turn: as many as have `chunk_numbers` covariances together, at least
/// one. The kernel and the posteriors take few rounds and long vectors, so they go chunk by chunk: vectors
/// stay in the cache, and memory that is given back is used again. All jobs' pivots together are short, and
/// take thousands of rounds.
std::vector<Shape> chunks_of(const Shape& shape);
inline constexpr std::size_t chunk_numbers = std::size_t{1} << 18;

/// Covariances of a job: of pairs of its rows, and of its rows and points.
std::size_t covariances_of(const Shape& shape, const Job& job);

/// How many bytes of dealt numbers a job takes, about.
double preparation_bytes(const Shape& shape, const Job& job);

/// For these outputs; with `noise_in_variance` V_i has σ_ε² added. Throws InputError where fixed point cannot
/// hold the numbers.
Shape shape_of(const Parties& parties, const OutputHyperparameters& shared,
               const std::vector<std::size_t>& outputs, bool noise_in_variance = false);

/// The factor that takes a party's inputs to units of the shared ones, and their public centre.
double input_scale(const Hyperparameters& h, unsigned squarings);
Vector input_centre(const Parties& parties);

}  // namespace tacit::shares
