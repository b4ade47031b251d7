// The state of a running study. For the study's own files only.
#pragma once

#include <memory>
#include <vector>

#include "tacit/consortium/predict/fitted_experts.hpp"
#include "tacit/lab/study/study.hpp"

namespace tacit {

struct StudyRun {
  const Parties& parties;  ///< as given
  const StudyOptions& options;
  const unsigned threads;
  Progress& progress;
  HelpedGraph graph;  ///< agents, and helpers that make masks
  Terms terms;
  std::vector<std::shared_ptr<const RowReader>> rows = {};  ///< by agent: the training rows
  std::vector<std::shared_ptr<const Crew>> crews = {};  ///< by agent: the processes that compute with them
  std::vector<Samples> held_out = {};                   ///< by agent; empty without held-out rows
  /// By agent. All have the originator's model; with the paper's tuning, each has its own priors.
  std::vector<Fitted> models;
  std::vector<std::unique_ptr<const FittedExperts>> experts;  ///< by agent
  /// By agent: the evidence of its experts at the test points, by rules_of(run).
  std::vector<LocalEvidence> evidence;
  /// The prediction of each agent at the test points without any data of the others. Empty if it is the
  /// prediction at home.
  std::vector<Prediction> alone;
  std::vector<TuneTrace> traces;  ///< by agent, with the paper's tuning
  StudyReport report;
};

/// The terms of a study. What a charter states is taken from data and options; inputs have the range of the
/// rows. `rows` is the largest number of rows of an agent.
Terms study_terms(const Parties& parties, const StudyOptions& options, const HelpedGraph& graph,
                  std::size_t rows);

/// The progress of a search, as text.
std::string trial_words(const ExactTuning& tuning);

/// The fusion rules for which evidence is computed: the one of the model, then the others for comparison.
std::vector<Fusion> rules_of(const StudyRun& run);

/// The prediction of an agent from the evidence of its own experts, in the data's units.
Prediction at_home(const StudyRun& run, std::size_t agent, const LocalEvidence& evidence);

void compare_with_plain(StudyRun& run);
Accuracy accuracy(StudyRun& run);

/// All rows in one place, which only a simulation can have.
Samples pool(const std::vector<Samples>& agents);

}  // namespace tacit
