// How time grows with the number of parties and with their rows: ours and the rivals', on the same rows.
#pragma once

#include "tacit/lab/paper/evaluation/experiment.hpp"

namespace tacit {

struct Growth {
  struct Point {
    std::size_t agents = 0, rows = 0;  ///< M, and rows of each
    double all = 0,
           longest = 0;  ///< seconds, as the table counts them; not finite at the last point when `stopped`
  };
  std::string data, method;
  bool with_agents = false;  ///< M grows; else the rows do
  std::vector<Point> points = {};
  std::string stopped =
      {};  ///< why the last point has no number and larger ones were not tried; empty if all have
  bool refused = false;  ///< it was not the limit
  double exponent = 0;   ///< of a power law fitted to `longest`; not finite with fewer than two points
};

/// No point of the plot may take longer.
inline constexpr double growth_limit_seconds = 60;

/// By least squares in logarithms.
double fitted_exponent(const std::vector<double>& x, const std::vector<double>& y);

/// First output only, one draw: M = 5 to 40 with 8 rows each, and 5 to 160 rows with M = 10 as far as the
/// data go. None when no rival is asked for.
std::vector<Growth> measure_growth(const DataSet& data, const OutputHyperparameters& shared,
                                   const ReproduceSettings& settings);

}  // namespace tacit
