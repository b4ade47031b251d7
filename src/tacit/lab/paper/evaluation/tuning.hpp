// fig:hypBenchmark: the convergence of the hyperparameters of twenty agents.
#pragma once

#include "tacit/lab/paper/evaluation/experiment.hpp"

namespace tacit {

struct TuningRun {
  std::string data;
  GradientOf gradient = GradientOf::likelihood;
  std::uint64_t denominator = 0;                     ///< 1/L_w
  unsigned required_bits = 0;                        ///< by (hypParamsCond); q = 2^40 is used
  std::vector<TuneTrace> traces;                     ///< by agent, then step; one output
  double spread_lengthscale = 0, spread_signal = 0;  ///< largest difference between two agents at the end
  std::size_t at_box = 0;                            ///< number of agents that end on the edge of the box Ξ
  double likelihood_before = 0, likelihood_after = 0;  ///< Σ_i h_i(Θ_i)
  double error_before = 0, error_after = 0;            ///< true test RMSE of the fused model
  double error_constant = 0;  ///< that of predicting the mean of all training targets

  /// The mean over agents at the end.
  Hyperparameters agreed() const;
};

/// One run with 20 agents, for the first output.
TuningRun run_tuning(const DataSet& data, GradientOf gradient, std::uint64_t denominator,
                     const ReproduceSettings& settings);

/// Runs each data set with ∇h_i as the paper writes it and with ∇h_i/N_i, at L_w = 1/40 and at the largest
/// valid L_w.
std::vector<TuningRun> reproduce_tuning(const std::vector<DataSet>& data, const ReproduceSettings& settings);

}  // namespace tacit
