// A bounded maximiser whose caller evaluates the function: L-BFGS of NLopt with inverted control.
//
//   Maximiser climb(start, low, high, {});
//   while (const auto point = climb.next()) climb.tell(value at *point, slope at *point);
//
// Threads: a Maximiser belongs to one thread at a time.
// Errors: InputError for bounds that cannot be used, Error for values that are not finite.
// Stopping: with StoppableWork (base/stop.hpp) `next` throws Stopped.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "tacit/gp/defaults.hpp"

namespace tacit {

/// When a search ends.
struct MaximiserLimits {
  std::size_t most_evaluations = consortium_defaults.evaluations;
  double value_tolerance = 1e-5;  ///< the search ends if a step increases the value by less
  double point_tolerance = 1e-6;  ///< the search ends if a step changes every coordinate by less
};

/// Why a search has ended.
enum class EndOf { value_settled = 1, point_settled, no_better_point, too_many_evaluations };

/// Returns the reason as a sentence.
std::string to_string(EndOf end);

/// Maximises a function within bounds. NLopt obtains values by a callback that must return at once, whereas a
/// protocol has to wait for messages. next() therefore reruns NLopt from the start over the values known so
/// far and stops it where it needs a new one. This needs neither threads nor locks, and the path is always
/// the same. The repeated work of NLopt is negligible compared with one likelihood.
class Maximiser {
 public:
  /// Starts a search. Throws InputError unless low ≤ start ≤ high in every coordinate.
  Maximiser(std::vector<double> start, std::vector<double> low, std::vector<double> high,
            MaximiserLimits limits);

  /// Returns the next point to evaluate, or nothing when the search has ended.
  std::optional<std::vector<double>> next();

  /// Passes the value and slope at the point that next() returned. Throws Error if they are not finite.
  void tell(double value, std::vector<double> slope);

  /// Returns why the search has ended. Must be called only after next() has returned nothing.
  EndOf end() const { return *end_; }

 private:
  struct Answer {
    std::vector<double> point;
    double value;
    std::vector<double> slope;
  };
  struct Replay;

  std::vector<double> start_, low_, high_;
  MaximiserLimits limits_;
  std::vector<Answer> answers_;
  std::vector<double> asked_;
  std::optional<EndOf> end_;
};

}  // namespace tacit
