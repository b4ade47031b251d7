// What one party computes alone from its own rows: its experts' predictions at some points,
// and their likelihood.
#pragma once

#include <cstddef>
#include <map>
#include <memory>
#include <utility>
#include <vector>

#include "tacit/consortium/predict/predict.hpp"
#include "tacit/gp/committee/committee.hpp"
#include "tacit/table/rows/samples.hpp"

namespace tacit {

/// One for each output.
using Priors = std::vector<Prior>;

/// One for each output, as the paper has them.
using OutputHyperparameters = std::vector<Hyperparameters>;
Priors priors_of(const OutputHyperparameters& all);

/// The pooled part of a model, for every run of neighbouring outputs with equal priors; none without
/// landmarks.
using PooledParts = std::vector<std::shared_ptr<const PooledPart>>;

/// Calls visit(first, count, prior) for every run of neighbouring outputs with equal priors, which share
/// factors.
template <class Visit>
void for_each_prior(const Priors& priors, Visit&& visit) {
  const auto outputs = static_cast<Index>(priors.size());
  for (Index first = 0, next = 0; first < outputs; first = next) {
    const Prior& prior = priors[static_cast<std::size_t>(first)];
    for (next = first + 1; next < outputs && priors[static_cast<std::size_t>(next)] == prior;) ++next;
    visit(first, next - first, prior);
  }
}

/// Rows in this process, to which it holds references.
inline std::shared_ptr<const Crew> crew_of(const Samples& rows, const CommitteeOptions& options = {},
                                           unsigned threads = 1) {
  return crew_of_threads(rows.inputs, rows.outputs, options, threads);
}

/// One party's rows, split among experts when they are many.
class LocalExperts {
 public:
  /// With pooled parts the experts learn what those leave over.
  explicit LocalExperts(std::shared_ptr<const Crew> rows, PooledParts pooled = {})
      : committee_(std::move(rows)), pooled_(std::move(pooled)) {}
  /// Holds references to the rows.
  explicit LocalExperts(const Samples& rows, const CommitteeOptions& options = {}, unsigned threads = 1)
      : LocalExperts(crew_of(rows, options, threads)) {}

  std::size_t experts() const { return committee_.experts(); }
  const Committee& committee() const { return committee_; }

  /// What the rows say through landmarks, for every run of neighbouring outputs with equal priors.
  std::vector<LandmarkSums> landmark_sums(const Priors& priors, const Matrix& landmarks) const;

  /// What the experts say, for each rule asked for. With pooled parts, the priors are theirs.
  LocalEvidence evidence(const Matrix& points, const Priors& priors, std::span<const Fusion> rules) const;

  /// h_i of (lml), summed over outputs, and its slopes: of the first output's prior, then of the next one's;
  /// or of the one prior that all share.
  Likelihood likelihood(const Priors& priors, bool shared = false) const;

  /// Keeps the experts fitted with these priors, which later evidence with the same priors then uses. Does
  /// nothing when they would take more bytes than that, or are not in this process.
  void keep(const Priors& priors, std::size_t most_bytes);

 private:
  Committee committee_;
  PooledParts pooled_;
  Priors kept_for_;
  std::map<Index, std::vector<Expert>> kept_;  // by the first output that they serve
};

/// The party's own prediction: its experts fused by the rule.
Prediction predict_alone(const Samples& data, const Matrix& points, const Priors& priors,
                         Fusion rule = Fusion::poe, const CommitteeOptions& options = {});

/// The mean over agents, output by output; values that are all equal stay exact. Priors that differ must be
/// the paper's.
OutputHyperparameters mean_hyperparameters(const std::vector<OutputHyperparameters>& agents);
Priors mean_priors(const std::vector<Priors>& agents);

}  // namespace tacit
