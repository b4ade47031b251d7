// A bounded sum: the sum of one bounded term for each key (a row or a patient) of all agents, with discrete
// Gaussian noise of every agent. Its total satisfies ρ-zCDP for each key (secrecy/privacy_loss.hpp), whatever
// the terms of other keys are and whatever up to `colluding` agents do.
//
// Everything is an integer on a public grid. A term is truncated towards zero on the grid, its norm is
// checked there, and terms and noise are added as integers. Rounding therefore cannot break the bound.
//
//   const BoundedPlan plan = make_bounded_plan(request);
//   BoundedTerms mine(plan);
//   for (const Values& row : rows) mine.add(row);
//   Values total = co_await bounded_sum(net, plan, std::move(mine));
//
// Threads: any number of tasks may share a plan; terms belong to one thread at a time.
// Errors: as described for each function; those of bounded_sum are those of exact_sum.
// Stopping: bounded_sum stops as exact_sum does. The other functions are short.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>

#include "tacit/protocol/exact/exact.hpp"

namespace tacit {

struct BoundedRequest {
  std::size_t agents = 0;      ///< M, the agents of the roster
  std::size_t dimension = 1;   ///< the numbers of a term
  std::size_t most_terms = 0;  ///< the most keys of an agent, a public number
  double square = 1;           ///< the largest squared norm of a term
  /// The largest squared norm of the difference of two terms, if it is less than 4 times `square`.
  std::optional<double> change_square = {};
  double rho = 0;  ///< what the sum may cost each key
  std::size_t colluding =
      1;  ///< how many agents may pool what they know, their own noise included; 1 to M - 2
  AgentId originator = 0;
  bool tree = false;  ///< a tree sum (ExactRequest)
  /// Of the masks (ExactRequest); at least `colluding`, also by default.
  std::optional<std::size_t> collusion = {};
};

struct BoundedPlan {
  ExactPlan exact;             ///< of the integers: its unit is 1
  double grid = 0;             ///< the value of one unit; a power of two
  std::size_t most_terms = 0;  ///< of an agent
  std::uint64_t square = 0;    ///< the largest squared norm of a term in units
  double change = 0;           ///< the largest norm of the difference of two terms in units, after truncation
  std::uint64_t variance = 0;  ///< of each agent's noise in each number, in squared units
  std::size_t colluding = 0;
  double rho = 0;  ///< what the sum costs each key; not more than requested

  /// Returns the standard deviation of the noise of all agents in each number of the total.
  double noise() const;
};

/// Throws InputError, with a remedy, if no grid gives the noise that ρ needs, or if there are too few agents.
BoundedPlan make_bounded_plan(const BoundedRequest& request);

/// The sum of one agent's terms, in units of the grid.
class BoundedTerms {
 public:
  explicit BoundedTerms(const BoundedPlan& plan);

  /// Adds the term of one key. A term that is not finite, or whose norm is too large, counts as zero, and so
  /// does one beyond `most_terms`: neither a value nor a number of rows makes an agent behave in another way
  /// towards others. Callers refuse too many keys before they join. Throws InputError for a wrong number of
  /// values.
  void add(std::span<const double> term);

  std::size_t terms() const { return terms_; }
  std::span<const std::int64_t> sum() const { return sum_; }

 private:
  std::uint64_t square_;
  std::size_t most_;
  double grid_;
  std::size_t terms_ = 0;
  WipedVector<std::int64_t> sum_, term_;
};

/// A noisy total, and the part of it that this agent contributed.
struct BoundedTotal {
  Values total;  ///< the terms and the noise of all agents; equal at all agents
  Values own;    ///< this agent's terms and noise; private
};

/// One agent's side: adds fresh noise to its terms and returns the noisy total of all agents, in reals. The
/// noise comes from the run's stream of randomness, which the operating system keys in a real agent. `net`
/// and `plan` must outlive the task.
Task<BoundedTotal> bounded_sum_and_own(Run& net, const BoundedPlan& plan, BoundedTerms mine);

/// The same, for an agent that needs the total only.
Task<Values> bounded_sum(Run& net, const BoundedPlan& plan, BoundedTerms mine);

}  // namespace tacit
