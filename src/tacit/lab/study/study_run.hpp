// A study under way. For the study's own files only.
#pragma once

#include <memory>
#include <vector>

#include "tacit/consortium/predict/fitted_experts.hpp"
#include "tacit/lab/study/study.hpp"

namespace tacit {

struct StudyRun {
  const Parties& parties;  ///< as they were given
  const StudyOptions& options;
  const unsigned threads;
  Progress& progress;
  HelpedGraph graph;  ///< agents, and helpers that make masks
  Terms terms;
  std::vector<std::shared_ptr<const RowReader>> rows = {};  ///< by agent: what it learns from
  std::vector<std::shared_ptr<const Crew>> crews = {};      ///< by agent: who computes with them
  std::vector<Samples> held_out = {};                       ///< by agent; none without holding out
  /// By agent. All are the originator's model, but with the paper's tuning each has priors of its own.
  std::vector<Fitted> models;
  std::vector<std::unique_ptr<const FittedExperts>> experts;  ///< by agent
  std::vector<LocalEvidence> said;  ///< what each agent's experts say at the test points, by rules_of(run)
  /// What each agent would say at the test points without anything of the others; empty where that is what it
  /// says at home.
  std::vector<Prediction> alone;
  std::vector<TuneTrace> traces;  ///< by agent, with the paper's tuning
  StudyReport report;
};

/// What a charter would state is taken from the data and the options; inputs are as wide as rows need. At
/// most this many rows belong to an agent.
Terms study_terms(const Parties& parties, const StudyOptions& options, const HelpedGraph& graph,
                  std::size_t rows);

/// How far a search has got, for whoever watches.
std::string trial_words(const ExactTuning& tuning);

/// The rules that evidence is for: the one asked for, then the others, to compare with.
std::vector<Fusion> rules_of(const StudyRun& run);

/// What an agent predicts from what its own experts say, in the data's units.
Prediction at_home(const StudyRun& run, std::size_t agent, const LocalEvidence& said);

void compare_with_plain(StudyRun& run);
Accuracy accuracy(StudyRun& run);

/// All rows in one place, which only a simulation has.
Samples pool(const std::vector<Samples>& agents);

}  // namespace tacit
