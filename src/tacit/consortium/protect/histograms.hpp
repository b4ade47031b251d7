// Scales and marginal distributions of all columns from one opening of noisy histograms over public ranges.
//
// Threads: Marginal and Scales are plain values.
// Errors: InputError for ranges that cannot be used; those of the opening.
// Stopping: as for the opening.
#pragma once

#include <optional>
#include <vector>

#include "tacit/consortium/protect/own_rows.hpp"
#include "tacit/consortium/protect/protected_run.hpp"
#include "tacit/gp/matrix.hpp"

namespace tacit {

/// A column of all parties, from the charter.
struct PublicColumn {
  double low = 0, high = 1;  ///< the public range
  /// The public centre and spread (a standard deviation), used if no histogram is fine enough; by default
  /// those of a normal column whose range is four deviations wide.
  std::optional<double> centre = {}, spread = {};
};

/// The distribution of a column.
struct Marginal {
  double low = 0, high = 1;
  double centre = 0, spread = 1;
  std::vector<double> below;  ///< the share of keys below each edge of the bins; empty without a histogram

  /// Returns the share of keys below x. In a bin with an atom, such as one level of a category, it is that in
  /// the middle of the bin. Needs a histogram.
  double share(double x) const;
  /// Returns the x below which this share of keys lies. Needs a histogram.
  double quantile(double share) const;
  /// Returns (x - centre)/spread, at most 4 in size.
  double standard(double x) const;

  bool operator==(const Marginal&) const = default;
};

/// The marginals of all inputs and then of the target.
struct Scales {
  std::size_t bins = 0;  ///< 0: centre and spread are public facts, and there are no histograms
  std::vector<Marginal> columns;

  Index inputs() const { return static_cast<Index>(columns.size()) - 1; }
  const Marginal& target() const { return columns.back(); }
  /// Returns rows, one a column, in standard units.
  Matrix standard_inputs(const Matrix& inputs) const;
  Vector standard_targets(const Vector& targets) const;

  bool operator==(const Scales&) const = default;
};

/// Returns the largest number of bins whose noise is small against their counts, or 0 if there is none.
std::size_t choose_bins(double rows, double noise);

/// Returns the scales of public centres and spreads.
Scales public_scales(const std::vector<PublicColumn>& columns);

/// One agent's side: opens the histograms if they are fine enough for `rows`, the public number of all keys,
/// and returns the public scales otherwise. References must outlive the task.
Task<Scales> open_scales(ProtectedRun& run, const std::vector<PublicColumn>& columns, const OwnRows& mine,
                         double rows, double rho);

}  // namespace tacit
