// Measures how time grows with the number of parties and with their rows, for our protocols and the rivals on
// the same rows.
#pragma once

#include "tacit/lab/paper/evaluation/experiment.hpp"

namespace tacit {

struct Growth {
  struct Point {
    std::size_t agents = 0, rows = 0;  ///< M, and the rows of each
    double all = 0,
           longest = 0;  ///< seconds, as the table counts them; not finite at the last point when `stopped`
  };
  std::string data, method;
  bool with_agents = false;  ///< whether M grows or the rows of each
  std::vector<Point> points = {};
  std::string stopped = {};  ///< why the last point has no number and larger ones were not tried; empty if
                             ///< all points have numbers
  bool refused = false;      ///< `stopped` is a refusal, not the limit
  double exponent = 0;       ///< of a power law fitted to `longest`; not finite with fewer than two points
};

/// The limit of a point of the plot.
inline constexpr double growth_limit_seconds = 60;

/// The exponent of a power law, by least squares in logarithms.
double fitted_exponent(const std::vector<double>& x, const std::vector<double>& y);

/// Measures the first output in one draw: M = 5 to 40 with 8 rows each, and 5 to 160 rows with M = 10 as far
/// as the data allow. Returns nothing if the settings have no rival.
std::vector<Growth> measure_growth(const DataSet& data, const OutputHyperparameters& shared,
                                   const ReproduceSettings& settings);

}  // namespace tacit
