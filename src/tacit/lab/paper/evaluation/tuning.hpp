// fig:hypBenchmark: do twenty agents' hyperparameters converge?
#pragma once

#include "tacit/lab/paper/evaluation/experiment.hpp"

namespace tacit {

struct TuningRun {
  std::string data;
  GradientOf gradient = GradientOf::likelihood;
  std::uint64_t denominator = 0;                       ///< 1/L_w
  unsigned required_bits = 0;                          ///< by (hypParamsCond); q = 2^40 is used
  std::vector<TuneTrace> traces;                       ///< by agent, then step; one output
  double spread_lengthscale = 0, spread_signal = 0;    ///< largest difference between two agents at the end
  std::size_t at_box = 0;                              ///< agents that end on the edge of the box Ξ
  double likelihood_before = 0, likelihood_after = 0;  ///< Σ_i h_i(Θ_i)
  double error_before = 0, error_after = 0;            ///< true test RMSE of the fused model
  double error_constant = 0;                           ///< that of predicting everybody's mean

  /// The agents' mean at the end.
  Hyperparameters agreed() const;
};

/// One run on 20 agents, for the first output.
TuningRun run_tuning(const DataSet& data, GradientOf gradient, std::uint64_t denominator,
                     const ReproduceSettings& settings);

/// Every data set with ∇h_i as the paper writes it and with ∇h_i/N_i, at L_w = 1/40 and at the largest valid.
std::vector<TuningRun> reproduce_tuning(const std::vector<DataSet>& data, const ReproduceSettings& settings);

}  // namespace tacit
