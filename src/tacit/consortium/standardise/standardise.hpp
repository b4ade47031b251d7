// Private standardisation: computes the mean and the standard deviation of every column over all agents' rows
// by two secure sums.
//
// Threads: plain values and functions; a task belongs to one thread at a time.
// Errors: InputError for values outside their range, Error for a sum that has not converged.
// Stopping: a task waits only for its channel, whose driver ends it; passes over the rows obey
// StoppableWork (base/stop.hpp).
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

/// The range of a column's values, which is public before any data are used.
struct ColumnRange {
  double low = 0, high = 0;
  double centre() const { return low / 2 + high / 2; }
  double half() const { return high > low ? high / 2 - low / 2 : 1; }  ///< 1 for a constant column
};

/// The charter's numbers that standardisation uses.
struct ColumnFacts {
  std::size_t agents = 0;  ///< M
  std::size_t rows = 0;    ///< the maximum number of rows of an agent
  std::vector<ColumnRange> inputs, outputs;
};

struct Standardisation {
  std::size_t rows = 0;  ///< n, the exact number of rows of all agents together
  Scaling inputs, outputs;
  std::size_t constant = 0;  ///< number of columns that count as constant

  Samples standard(const Samples& original) const;
  Prediction original(const Prediction& standard) const;
};

/// Returns the shapes of the two sums: Σx, Σy and n, then Σ(x−x̄)², Σ(y−ȳ)². Values are relative to the middle
/// of their column's range and in units of half its width, so that one range fits all columns.
std::array<SumShape, 2> standardise_sums(const ColumnFacts& facts);

/// Returns the limit up to which sums of squares, in squared halves of the column's range, count as 0. They
/// are then less than about a thousand times the error of the sum.
double constant_below(const ColumnFacts& facts);

/// One agent's side. Deviations are those of the whole population, √(Σ(x−x̄)²/n). With an exact sum, all
/// agents compute the same bits. With the consensus, shifts differ by about unit/n halves of a range, and
/// scales by less than a thousandth of themselves, usually far less. Throws InputError if a value is outside
/// its column's range. References must outlive the task.
Task<Standardisation> standardise_privately(Run& net, const SecureSum& secure_sum, const ColumnFacts& facts,
                                            const Crew& mine);

/// Returns a bound on |y| of standardised outputs. It depends only on public facts and n, so that all agents
/// make the same plan: √(n−1) for rows that were counted (Samuelson's inequality).
double standard_output_max(const ColumnFacts& facts, std::size_t rows);
/// Returns a bound on |x_d| for points within the inputs' ranges. It follows from the shifts and scales,
/// which all agents know, rounded up to a power of two, because after a consensus agents' copies differ in
/// the last digits.
double standard_input_max(const ColumnFacts& facts, const Standardisation& standardisation);

/// Returns the scale of standardised data.
DataScale standard_scale(std::size_t inputs);

}  // namespace tacit
