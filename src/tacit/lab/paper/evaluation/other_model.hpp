// The same rows and Θ under other models than the paper's: rbcm and landmarks, by the programme that agents
// run.
#pragma once

#include "tacit/lab/paper/evaluation/experiment.hpp"

namespace tacit {

struct OtherModel {
  std::optional<std::size_t> landmarks;  ///< none asks for as many as the rows allow, 0 for experts alone
  bool at_home = false;                  ///< every agent answers by itself; else all of them together
};

struct OtherModelRun {
  std::size_t landmarks = 0;
  double test_error = 0;        ///< at home the mean over agents
  std::vector<double> seconds;  ///< each agent's work on its answer
  SimulationCost cost;          ///< of what the agents did together
};

/// Fits and asks for the test points once. Residual experts are fused by rbcm, as everywhere else.
OtherModelRun run_other_model(const Parties& parties, const Graph& graph, const OtherModel& model,
                              const OutputHyperparameters& shared, const SimulatorOptions& options);

}  // namespace tacit
