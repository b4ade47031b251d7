// A public model of the inputs of all rows: the marginals of their histograms, joined by noisy correlations
// of normal scores. Landmarks and synthetic rows are drawn from it.
//
// Threads: a Copula is a plain value.
// Errors: those of the opening.
// Stopping: as for the opening; `draw` takes about a microsecond a number.
#pragma once

#include <cstdint>

#include "tacit/consortium/protect/histograms.hpp"

namespace tacit {

struct Copula {
  Scales scales;
  Matrix root;  ///< the lower Cholesky factor of the correlations

  /// Returns rows in standard units, one a column. All agents draw the same rows: values are multiples of
  /// 2^-16, so that the last digits of elementary functions do not matter.
  Matrix draw(Index rows, std::uint64_t seed) const;

  bool operator==(const Copula& other) const { return scales == other.scales && root == other.root; }
};

/// Returns the scores of a row of inputs in the data's units, clipped to the norm 1.2 √d.
Vector clipped_scores(const Scales& scales, const double* inputs, double rows);
/// Returns that norm.
double score_clip(Index inputs);

/// Returns a factor of the correlations, from the noisy mean products of scores: the lower triangle, column
/// by column, with off-diagonal numbers scaled by √2. `noise` is the deviation of each number.
Matrix correlation_root(std::span<const double> products, Index inputs, double noise);

/// One agent's side. Opens nothing for a single input. References must outlive the task.
Task<Copula> open_copula(ProtectedRun& run, const Scales& scales, const OwnRows& mine, double rows,
                         double rho);

}  // namespace tacit
