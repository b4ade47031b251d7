// fig:accuracy: the error of the private prediction against plain distributed GPR, by T and L_z.
#pragma once

#include "tacit/lab/paper/evaluation/experiment.hpp"

namespace tacit {

struct AccuracyCurve {
  std::string data;
  double lz = 0;
  ConsensusPlan plan;
  std::vector<std::size_t> iterations;           ///< T
  std::vector<double> rmse_mean, rmse_variance;  ///< the paper's metric after T iterations
  double floor_mean = 0, floor_variance = 0;     ///< the same metric of β and γ of Theorem 4: T → ∞
  std::size_t points_without_floor = 0;          ///< predictions for which (xi) fails, so there is no bound
  std::size_t rises_mean = 0,
              rises_variance = 0;  ///< number of T at which the RMSE rose while above its floor
  bool reaches_floor() const;      ///< the last RMSE is within the floor
  bool falls() const { return rises_mean == 0 && rises_variance == 0; }
};

/// Runs M = 20, a ring of degree 4, and L_z = 1, 1e-2, 1e-4 for each data set.
std::vector<AccuracyCurve> reproduce_accuracy(const std::vector<DataSet>& data,
                                              const ReproduceSettings& settings);

/// Returns one agent's averages after each of the given numbers of iterations of one run of Protocol 1.
Task<std::vector<Values>> averages_at(Run& net, ConsensusPlan plan, Values z,
                                      std::vector<std::size_t> iterations);

}  // namespace tacit
