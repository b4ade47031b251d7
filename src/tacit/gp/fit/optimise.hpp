// A bounded maximiser that can wait for its answers: L-BFGS of NLopt, turned inside out.
//
//   Maximiser climb(start, low, high, {});
//   while (const auto point = climb.next()) climb.tell(value at *point, slope at *point);
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

namespace tacit {

struct MaximiserLimits {
  std::size_t most_evaluations = 100;
  double value_tolerance = 1e-5;  ///< ends when a step raises the value by less
  double point_tolerance = 1e-6;  ///< ends when a step moves every coordinate by less
};

/// Why a maximiser has ended.
enum class EndOf { value_settled = 1, point_settled, no_better_point, too_many_evaluations };

/// A sentence for people.
std::string to_string(EndOf end);

/// NLopt calls back for values and wants them at once, while a protocol has to wait for messages. So next()
/// runs NLopt from the start over the answers known so far and stops it where it asks for more: no thread, no
/// lock, the same path every time. That repeats NLopt's own work, which is negligible beside one likelihood.
class Maximiser {
 public:
  /// Throws InputError unless low ≤ start ≤ high, coordinate by coordinate.
  Maximiser(std::vector<double> start, std::vector<double> low, std::vector<double> high,
            MaximiserLimits limits);

  /// The next point whose value is wanted, or nothing at the end.
  std::optional<std::vector<double>> next();

  /// The answer to next(). Throws Error when it is not finite.
  void tell(double value, std::vector<double> slope);

  /// Once next() has given nothing.
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
