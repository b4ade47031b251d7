// A whole experiment in one process: agents standardise, tune, predict and score together in private, beside
// what each could do alone and what one model on all the data would do. This is what `tacit simulate` runs.
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "tacit/base/progress.hpp"
#include "tacit/charter/bounds/privacy.hpp"
#include "tacit/consortium/programme.hpp"
#include "tacit/consortium/score/quality.hpp"
#include "tacit/lab/simulator/simulator.hpp"
#include "tacit/lab/study/paper_tuning.hpp"
#include "tacit/lab/study/parties/parties.hpp"

namespace tacit {

/// Rows that every agent keeps from the training to score the model with.
struct HoldOut {
  double fraction = 0.2;  ///< of each agent's rows
  /// False: an agent scores its own expert, and its rows stay private. True: it scores the fused model; for
  /// that, the inputs of its held-out rows are shown to all agents as points to predict at, not the targets.
  bool fused = false;
};

struct StudyOptions {
  std::string topology = "ring:4";
  std::size_t helpers = 0;  ///< agents that only make masks, placed by with_helpers
  ModelTerms model;
  TuningTerms tuning;
  std::optional<PaperTuning> paper_tuning;  ///< in place of a search
  ProtocolTerms protocol;                   ///< columns, limits and graph of the terms come from the data
  std::optional<HoldOut> holdout;
  NetworkModel network;
  std::uint64_t seed = 1;
  unsigned threads = 0;                 ///< 0: all cores
  std::size_t most_pooled_rows = 5000;  ///< no pooled model with more rows: it costs O(rows³)
};

/// On the test targets.
struct Accuracy {
  std::vector<Quality> local;    ///< alone: each agent's own experts, without anything of the others
  std::vector<Quality> at_home;  ///< the pooled part and each agent's own experts; nobody learns the question
  Quality private_model;         ///< together: what all agents' experts give, mean over agents
  std::optional<Quality> pooled;  ///< one GP on all data, which nobody could have without giving it away
  std::vector<std::pair<Fusion, Quality>> rules;  ///< every rule, from the same experts in the open
  std::vector<Accuracy> by_target;                ///< the same on each target by itself; without `rules`
  Quality mean_local() const;
  Quality mean_at_home() const;
};

/// What the pooled part of the model took.
struct LandmarkReport {
  std::size_t landmarks = 0;
  std::size_t ceiling = 0;       ///< the most landmarks that open no more than a quarter of what rows hold
  std::uint64_t opened = 0;      ///< numbers that the sum over landmarks opened
  std::uint64_t opened_all = 0;  ///< that the whole fit opened
  std::uint64_t held = 0;        ///< numbers that the rows hold
  ExactPlan plan;                ///< of that sum
};

struct Tuning {
  ConsensusPlan plan;
  std::vector<TuneTrace> traces;  ///< by agent
  double spread = 0;              ///< largest difference between two agents' final values of a parameter
  double likelihood_before = 0;   ///< Σ_i h_i, each at its own estimate, summed over outputs
  double likelihood_after = 0;
};

/// Predictions, errors and scores are in the data's units; with standardising, hyperparameters, plan, bounds
/// and likelihoods are in standardised ones.
struct StudyReport {
  std::size_t edges = 0;
  std::size_t mask_edges = 0;           ///< that join helpers to agents
  ConsensusPlan plan;                   ///< of the prediction, by consensus
  std::optional<ExactPlan> exact_plan;  ///< or by exact
  PublicBounds bounds;
  /// Of Theorem 4 at this T, for the worst case by public facts; infinite where nothing is promised.
  double beta = 0, gamma = 0;
  std::optional<Standardisation> standardisation;  ///< agent 0's
  double standardisation_spread = 0;  ///< the most that two agents' shifts and scales differ, in scales
  std::optional<Tuning> tuning;
  std::optional<ExactTuning> exact_tuning;  ///< as the originator saw it
  std::vector<Priors> priors;               ///< by agent
  Vector noise_variance;                    ///< σ_ε² of every output in the data's units
  std::size_t experts = 0;                  ///< of all agents together
  std::optional<LandmarkReport> landmarks;

  std::vector<Prediction> predictions;      ///< by agent, latent variance
  std::vector<Prediction> at_home;          ///< by agent: what each says without asking anybody
  Prediction reference;                     ///< plain distributed GPR (DGPR) from the same experts and rule
  double rmse_mean = 0, rmse_variance = 0;  ///< the paper's metric, averaged over agents
  double disagreement_mean = 0, disagreement_variance = 0;  ///< largest difference between two agents
  std::size_t unconverged = 0;       ///< variances that are not positive: T is too small
  std::optional<Accuracy> accuracy;  ///< where test targets are known
  std::optional<ConsortiumScore> holdout;

  std::size_t clamped = 0;  ///< local variances that had to be clamped
  double jitter = 0;        ///< the largest that an expert needed
  Privacy privacy;
  SimulationCost cost;  ///< of everything the agents did together
  std::vector<LinkTraffic> traffic;
  double standardise_seconds = 0, tuning_seconds = 0, pooling_seconds = 0, local_seconds = 0,
         protocol_seconds = 0, holdout_seconds = 0;
};

/// Throws InputError for options that do not go together, Error when the run fails.
StudyReport run_study(const Parties& parties, const StudyOptions& options, Progress* progress = nullptr);

/// The paper's RMSE: mean over agents of √(1/|X| Σ_x ‖difference‖²).
double paper_rmse(const std::vector<Prediction>& agents, const Matrix Prediction::*part,
                  const Matrix& reference);

}  // namespace tacit
