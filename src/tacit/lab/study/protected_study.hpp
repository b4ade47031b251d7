// A study's protected fit: the same agents and rows, with everything that is opened under noise. All agents
// then answer at home. In a deployment, public ranges come from the charter; here they come from the data.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "tacit/base/progress.hpp"
#include "tacit/consortium/protect/home.hpp"
#include "tacit/consortium/protect/protected_run.hpp"
#include "tacit/consortium/score/quality.hpp"
#include "tacit/lab/simulator/simulator.hpp"
#include "tacit/lab/study/parties/parties.hpp"

namespace tacit {

struct ProtectOptions {
  double rho = 4;                             ///< what the fit may cost each row
  std::optional<std::size_t> colluding = {};  ///< default: a third of the agents, at least 1
};

/// Returns how many of this many agents may pool what they know by default: a third, 1 to agents - 2.
std::size_t usual_colluding(std::size_t agents);

struct ProtectedReport {
  std::size_t colluding = 0;
  std::vector<Charge> charges;             ///< the openings, in order
  double rho = 0, epsilon = 0, delta = 0;  ///< what they cost each row
  double rows = 0;                         ///< the noisy number of rows of all agents
  bool tuned = false;                      ///< false: the hyperparameters are public ones
  Prior prior;                             ///< in standardised units
  std::size_t directions = 0;              ///< learnt weights of the shared part
  std::vector<HomeCandidate> chosen;       ///< by agent, near its own rows
  std::vector<Prediction> at_home;         ///< by agent, in the data's units
  std::vector<Quality> accuracy;           ///< by agent, if test targets are known
  SimulationCost cost;
  double seconds = 0;

  /// The mean over agents. Needs accuracy.
  Quality mean_at_home() const;
};

/// Throws InputError unless the fit can be protected: at least three agents, one target, rows in memory.
void check_protected(const Parties& parties, const ProtectOptions& options);

/// Runs the protected fit of all agents on this graph, and their answers at the test points.
ProtectedReport run_protected_study(const Parties& parties, const Graph& graph, const ProtectOptions& options,
                                    const SimulatorOptions& simulation, Progress& progress);

}  // namespace tacit
