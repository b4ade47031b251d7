// A complete experiment in one process, which `tacit simulate` runs. Agents standardise, tune, predict and
// score privately. The results are compared with those of each agent alone and of one model on all data.
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "tacit/base/progress.hpp"
#include "tacit/charter/bounds/privacy.hpp"
#include "tacit/consortium/programme.hpp"
#include "tacit/consortium/score/quality.hpp"
#include "tacit/graph/generators.hpp"
#include "tacit/lab/simulator/simulator.hpp"
#include "tacit/lab/study/paper_tuning.hpp"
#include "tacit/lab/study/parties/parties.hpp"
#include "tacit/lab/study/protected_study.hpp"

namespace tacit {

/// Rows that each agent keeps out of the training, to score the model.
struct HoldOut {
  double fraction = 0.2;  ///< of each agent's rows
  /// If false, an agent scores its own expert, and its rows stay private. If true, it scores the fused model.
  /// For that, all agents see the inputs of its held-out rows as points of a prediction, but not the targets.
  bool fused = false;
};

struct StudyOptions {
  Topology topology;
  std::size_t helpers = 0;  ///< agents that only make masks, placed by with_helpers()
  ModelTerms model;
  TuningTerms tuning;
  std::optional<PaperTuning> paper_tuning;  ///< instead of a search
  ProtocolTerms protocol;                   ///< columns, limits and graph of the terms come from the data
  std::optional<ProtectOptions> protect;    ///< also fit with protected rows
  std::optional<HoldOut> holdout;
  NetworkModel network;
  std::uint64_t seed = 1;
  unsigned threads = 0;                 ///< 0: all cores
  std::size_t most_pooled_rows = 5000;  ///< with more rows there is no pooled model, which takes O(rows³)
};

/// Measured on the test targets.
struct Accuracy {
  std::vector<Quality> local;     ///< alone: each agent's own experts, without any data of the others
  std::vector<Quality> at_home;   ///< at home: the pooled part and each agent's own experts
  Quality private_model;          ///< together: the experts of all agents, mean over agents
  std::optional<Quality> pooled;  ///< pooled: one GP on all data, which is not private
  std::vector<std::pair<Fusion, Quality>> rules;  ///< each rule with the same experts, without privacy
  std::vector<Accuracy> by_target;                ///< the same for each target, without `rules`
  Quality mean_local() const;
  Quality mean_at_home() const;
};

/// The pooled part of the model.
struct LandmarkReport {
  std::size_t landmarks = 0;
  std::size_t ceiling = 0;   ///< the most landmarks that open at most a quarter of the numbers in the rows
  std::uint64_t opened = 0;  ///< numbers opened by the sum over landmarks
  std::uint64_t opened_all = 0;  ///< numbers opened by the whole fit
  std::uint64_t held = 0;        ///< numbers in the rows
  ExactPlan plan;                ///< of that sum
};

/// The network, and what all protocols sent over it.
struct NetworkReport {
  std::size_t edges = 0;
  std::size_t mask_edges = 0;  ///< edges between helpers and agents
  SimulationCost cost;
  std::vector<LinkTraffic> traffic;
};

/// How a prediction is summed, and how exact it is at least, from public facts.
struct PredictionPlan {
  SumPlan sums;
  PublicBounds bounds;
  /// The bounds of Theorem 4 at this T for the worst case by public facts; infinite if the theorem gives
  /// none.
  double beta = 0, gamma = 0;

  const ConsensusPlan* consensus() const {
    return std::get_if<ConsensusPlan>(&sums);
  }                                                                         ///< null for exact sums
  const ExactPlan* exact() const { return std::get_if<ExactPlan>(&sums); }  ///< null for the consensus
};

struct StandardisingReport {
  Standardisation found;  ///< agent 0's
  double spread = 0;      ///< largest difference between two agents' shifts or scales, in scales
};

/// The paper's tuning.
struct PaperTuningReport {
  ConsensusPlan plan;
  std::vector<TuneTrace> traces;  ///< by agent
  double spread = 0;              ///< largest difference between two agents' final values of a parameter
  double likelihood_before = 0;   ///< Σ_i h_i, each at its own estimate, summed over outputs
  double likelihood_after = 0;
};

/// At most one of them.
struct TuningReport {
  std::optional<PaperTuningReport> paper;
  std::optional<ExactTuning> exact;  ///< as seen by the originator

  bool any() const { return paper || exact; }
};

/// The model after the fit.
struct ModelReport {
  std::vector<Priors> priors;  ///< by agent
  Vector noise_variance;       ///< σ_ε² of each output in the data's units
  std::size_t experts = 0;     ///< of all agents
  std::optional<LandmarkReport> landmarks;
  std::size_t clamped = 0;  ///< local variances that had to be clamped
  double jitter = 0;        ///< the largest jitter that an expert needed
};

/// Predictions at the test points.
struct PredictionReport {
  struct Difference {
    double mean = 0, variance = 0;
  };

  std::vector<Prediction> together;  ///< by agent
  std::vector<Prediction> at_home;   ///< by agent, the prediction at home
  Prediction reference;              ///< plain distributed GPR (DGPR) from the same experts and rule
  Difference rmse;                   ///< the paper's metric, averaged over agents
  Difference disagreement;           ///< largest difference between two agents
  std::size_t unconverged = 0;       ///< variances that are not positive because T is too small
};

/// The time of each stage on this machine.
struct StageSeconds {
  double standardise = 0, tuning = 0, pooling = 0, local = 0, protocol = 0, holdout = 0;

  double total() const { return standardise + tuning + pooling + local + protocol + holdout; }
};

/// Predictions, errors and scores are in the data's units. With standardising, hyperparameters, plan, bounds
/// and likelihoods are in standardised units.
struct StudyReport {
  NetworkReport network;
  PredictionPlan plan;
  Privacy privacy;
  std::optional<StandardisingReport> standardising;
  TuningReport tuning;
  ModelReport model;
  PredictionReport predictions;
  std::optional<Accuracy> accuracy;  ///< if test targets are known
  std::optional<ConsortiumScore> holdout;
  std::optional<ProtectedReport> protect;
  StageSeconds seconds;
};

/// Runs a study. Throws InputError for contradictory options, and Error if the run fails.
StudyReport run_study(const Parties& parties, const StudyOptions& options, Progress* progress = nullptr);

/// The paper's RMSE: mean over agents of √(1/|X| Σ_x ‖difference‖²).
double paper_rmse(const std::vector<Prediction>& agents, const Matrix Prediction::*part,
                  const Matrix& reference);

}  // namespace tacit
