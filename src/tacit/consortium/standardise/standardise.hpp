// Private standardising: mean and standard deviation of every column over all agents' rows, by
// two secure sums.
#pragma once

#include <array>
#include <cstddef>
#include <vector>

#include "tacit/consortium/secure_sum.hpp"
#include "tacit/gp/committee/crew.hpp"
#include "tacit/gp/committee/fusion.hpp"
#include "tacit/gp/fit/initial_prior.hpp"
#include "tacit/table/rows/samples.hpp"

namespace tacit {

/// The range of a column's values, known to everybody before any data are seen.
struct ColumnRange {
  double low = 0, high = 0;
  double centre() const { return low / 2 + high / 2; }
  double half() const { return high > low ? high / 2 - low / 2 : 1; }  ///< a constant column has width too
};

/// The charter's numbers that standardising rests on.
struct ColumnFacts {
  std::size_t agents = 0;  ///< M
  std::size_t rows = 0;    ///< the most rows an agent has
  std::vector<ColumnRange> inputs, outputs;
};

struct Standardisation {
  std::size_t rows = 0;  ///< n, those of all agents together; exact
  Scaling inputs, outputs;
  std::size_t constant = 0;  ///< columns that count as constant, whose scale is 1

  Samples standard(const Samples& original) const;
  Fused original(const Fused& standard) const;  ///< means and variances
};

/// The two sums: Σx, Σy and n, then Σ(x−x̄)², Σ(y−ȳ)². Values are counted from the middle of their column's
/// range in halves of its width, so that one range serves all columns.
std::array<SumShape, 2> standardise_sums(const ColumnFacts& facts);

/// Sums of squares up to this, in squared halves of the column's range, count as 0: they are less than a
/// thousand times the error of the sum.
double constant_below(const ColumnFacts& facts);

/// One agent's side. Deviations are those of the whole population, √(Σ(x−x̄)²/n). With an exact sum all agents
/// get the same bits; with the consensus shifts differ by about unit/n halves of a range, and scales by less
/// than a thousandth of themselves, mostly far less. Throws InputError when a value lies outside its column's
/// range. References must outlive the task.
Task<Standardisation> standardise_privately(Channel& net, const SecureSum& secure_sum,
                                            const ColumnFacts& facts, const Crew& mine);

/// What |y| can be at most once outputs are standardised, from public facts and n alone, so that all agents
/// plan alike: √(n−1) for rows that were counted (Samuelson's inequality).
double standard_output_max(const ColumnFacts& facts, std::size_t rows);
/// And |x_d|, for points within the inputs' ranges: from shifts and scales, which all know, up to the next
/// power of two, as after a consensus agents' copies differ in the last places.
double standard_input_max(const ColumnFacts& facts, const Standardisation& standardisation);

/// How far standardised data spread.
DataScale standard_scale(std::size_t inputs);

}  // namespace tacit
