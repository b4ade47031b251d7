// A study under way. For the study's own files only.
#pragma once

#include <memory>
#include <vector>

#include "tacit/consortium/fitted_experts.hpp"
#include "tacit/simulation/study.hpp"

namespace tacit {

struct StudyRun {
  const Parties& parties;  ///< as they were given
  const StudyOptions& options;
  const unsigned threads;
  Progress& progress;
  Terms terms;
  std::vector<Samples> agents;    ///< what each learns from
  std::vector<Samples> held_out;  ///< by agent; none without holding out
  /// By agent. All are the originator's model, but with the paper's tuning each has priors of its own.
  std::vector<Fitted> models;
  std::vector<std::unique_ptr<const FittedExperts>> experts;  ///< by agent
  std::vector<LocalEvidence> alone;  ///< what each agent's experts say at the test points, by rules_of(run)
  StudyReport report;
};

/// The rules that evidence is for: the one asked for, then, where they can be compared, the others.
std::vector<Fusion> rules_of(const StudyRun& run);

void compare_with_plain(StudyRun& run);
Accuracy accuracy(StudyRun& run);

/// All rows in one place, which only a simulation has.
Samples pool(const std::vector<Samples>& agents);

}  // namespace tacit
