// Models other than the paper's on the same rows and Θ: rbcm and landmarks, by the programme that agents run.
#pragma once

#include "tacit/lab/paper/evaluation/experiment.hpp"

namespace tacit {

struct OtherModel {
  std::optional<std::size_t> landmarks;  ///< by default, as many as the rows allow; 0 for experts only
  bool at_home = false;                  ///< each agent answers at home; otherwise all agents together
};

struct OtherModelRun {
  std::size_t landmarks = 0;
  double test_error = 0;        ///< at home, the mean over agents
  std::vector<double> seconds;  ///< each agent's work on its answer
  SimulationCost cost;          ///< of the protocols
};

/// Fits a model and predicts all test points once. Residual experts are fused by rbcm, as in the product.
OtherModelRun run_other_model(const Parties& parties, const Graph& graph, const OtherModel& model,
                              const OutputHyperparameters& shared, const SimulatorOptions& options);

}  // namespace tacit
