// The state of a running study. For the study's own files only.
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "tacit/consortium/predict/fitted_experts.hpp"
#include "tacit/lab/study/study.hpp"

namespace tacit {

/// The same terms with two ranges of inputs, because test points may be outside the range of the training
/// rows.
struct StudyTerms {
  Terms fit;      ///< inputs have the range of the training rows
  Terms predict;  ///< inputs also include the test points
};

/// How the agents compute sums, shared by all of them, so that each sum is planned once.
struct StudySums {
  std::unique_ptr<const SecureSum> usual;        ///< of fits and scores
  std::unique_ptr<const SecureSum> predictions;  ///< with the parameters that the options give
};

/// One agent's side of a study.
struct StudyAgent {
  std::shared_ptr<const RowReader> rows;  ///< the training rows
  std::shared_ptr<const Crew> crew;       ///< the processes that compute with them
  Samples held_out = {};                  ///< empty without held-out rows
  Fitted model = {};                      ///< the originator's; with the paper's tuning, with own priors
  std::unique_ptr<const FittedExperts> experts = {};
  LocalEvidence evidence = {};  ///< of its experts at the test points, by rules_of(run)
  /// The prediction at the test points without any data of the others. None if it is the prediction at home.
  std::optional<Prediction> alone = {};
};

struct StudyRun {
  const Parties& parties;  ///< as given
  const StudyOptions& options;
  const unsigned threads;
  Progress& progress;
  HelpedGraph graph;  ///< agents, and helpers that make masks
  StudyTerms terms;
  StudySums sums;
  std::vector<StudyAgent> agents;
  StudyReport report;
};

/// The terms of a fit in a study. What a charter states is taken from data and options; inputs have the range
/// of the rows. `rows` is the largest number of rows of an agent.
Terms study_terms(const Parties& parties, const StudyOptions& options, const HelpedGraph& graph,
                  std::size_t rows);

/// The plan of a sum for a prediction at this many points.
SumPlan plan_of_prediction(const StudyRun& run, const Fitted& fitted, std::size_t points);

/// Plans the prediction at the test points from public facts. Throws InputError if the plan cannot be used.
PredictionPlan plan_prediction(const StudyRun& run, const Fitted& fitted);

/// What a coalition could learn from the prediction.
Privacy assess_privacy(const StudyRun& run);

/// Stores the agents' models and what the fit found.
void store_fits(StudyRun& run, std::vector<Fit> fits);

/// Stores the traces of the paper's tuning and what they found.
void report_paper_tuning(StudyRun& run, const ConsensusPlan& plan, std::vector<TuneTrace> traces);

/// The progress of a search, as text.
std::string trial_words(const ExactTuning& tuning);

/// The fusion rules for which evidence is computed: the one of the model, then the others for comparison.
std::vector<Fusion> rules_of(const StudyRun& run);

/// The prediction of an agent from the evidence of its own experts, in the data's units.
Prediction at_home(const StudyRun& run, const StudyAgent& agent, const LocalEvidence& evidence);

void compare_with_plain(StudyRun& run);
Accuracy accuracy(StudyRun& run);

/// All rows in one place, which only a simulation can have.
Samples pool(const std::vector<Samples>& agents);

}  // namespace tacit
