// What all experiments share: the paper's settings, plain distributed GPR, and its private prediction.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

#include "tacit/base/progress.hpp"
#include "tacit/consortium/predict/local.hpp"
#include "tacit/graph/graph.hpp"
#include "tacit/lab/paper/evaluation/data_sets.hpp"
#include "tacit/lab/simulator/simulator.hpp"
#include "tacit/lab/study/paper_tuning.hpp"
#include "tacit/protocol/consensus/plan.hpp"

namespace tacit {

struct ReproduceSettings {
  std::uint64_t seed = 1;
  unsigned threads = 0;         ///< 0: all cores
  std::size_t repeats = 20;     ///< of each row of the table
  std::optional<double> noise;  ///< σ_ε; by default, that of each data set
  /// The form of (intUpdate) whose result the other experiments use.
  GradientOf gradient = GradientOf::likelihood_per_row;
  /// Adds σ_ε² to V_i as in the authors' earlier code, instead of the latent variance of (posterior). The
  /// results then have it in `latent_variance`, which the methods fuse and compare.
  bool noise_in_variance = false;
  bool shares = true, ckks = true;  ///< the rivals that the table measures
  Progress* progress = nullptr;

  double noise_of(const DataSet& data) const { return noise.value_or(data.noise); }
  unsigned used_threads() const;
};

/// The paper's settings of tuning: 30 steps of 0.1 · 0.99^t from [5, 15]². By (hypParamsCond), q = 2^40
/// suffices for the box at L_z = 2^-20, L_w = 1/40.
inline constexpr double tuning_lz = 0x1p-20;
inline constexpr unsigned tuning_bits = 40;
inline constexpr double start_low = 5, start_high = 15;
TuneOptions paper_tuning(GradientOf gradient);

/// Θ_i(0) for each agent and output, uniform in [5, 15]².
std::vector<OutputHyperparameters> random_starts(std::size_t agents, std::size_t outputs, double noise,
                                                 std::uint64_t seed);

/// Runs (eqs hyper) on the ring of degree 4. Returns the estimates of each agent over the steps.
std::vector<TuneTrace> tune_together(const Parties& parties, const ConsensusPlan& plan,
                                     const TuneOptions& options,
                                     const std::vector<OutputHyperparameters>& start,
                                     const ReproduceSettings& settings);

/// The hyperparameters on which 20 agents agree for all outputs. As in the paper, the other experiments use
/// them for all M.
OutputHyperparameters tuned_hyperparameters(const DataSet& data, const ReproduceSettings& settings);

/// Distributed GPR without privacy, (posterior) and (DGPR).
struct PlainResult {
  std::vector<Prediction> alone;   ///< by agent
  Prediction fused;                ///< the prediction that all agents would get
  std::vector<double> seconds;     ///< work of each agent
  double work_seconds() const;     ///< their sum
  double longest_seconds() const;  ///< their maximum
};
PlainResult plain_gpr(const Parties& parties, const std::vector<OutputHyperparameters>& by_agent,
                      const ReproduceSettings& settings);
PlainResult plain_gpr(const Parties& parties, const OutputHyperparameters& shared,
                      const ReproduceSettings& settings);

/// The request for a run of Protocol 2: dimension and value bound from public facts.
PlanRequest prediction_request(const Parties& parties, const OutputHyperparameters& shared);

/// The true test error of a prediction, √(mean over points and outputs of the squared difference).
double test_error(const Prediction& prediction, const Parties& parties);
/// The same for the mean of all training targets, as a constant prediction.
double constant_error(const Parties& parties);

}  // namespace tacit
