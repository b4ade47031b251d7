// What one party computes from its own rows only: its experts' predictions at some points, and their
// likelihood.
//
// Threads: const functions may run on any number of threads; `keep` must not run at the same time.
// Errors: InputError or Error, as Expert::of does.
// Stopping: with StoppableWork (base/stop.hpp) every function throws Stopped between experts.
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

/// One prior for each output.
using Priors = std::vector<Prior>;

/// The paper's hyperparameters, for each output.
using OutputHyperparameters = std::vector<Hyperparameters>;
Priors priors_of(const OutputHyperparameters& all);

/// The pooled part of a model, one for each run of adjacent outputs with equal priors; empty without
/// landmarks.
using PooledParts = std::vector<std::shared_ptr<const PooledPart>>;

/// Calls visit(first, count, prior) for every run of adjacent outputs with equal priors, which share factors.
template <class Visit>
void for_each_prior(const Priors& priors, Visit&& visit) {
  const auto outputs = static_cast<Index>(priors.size());
  for (Index first = 0, next = 0; first < outputs; first = next) {
    const Prior& prior = priors[static_cast<std::size_t>(first)];
    for (next = first + 1; next < outputs && priors[static_cast<std::size_t>(next)] == prior;) ++next;
    visit(first, next - first, prior);
  }
}

/// Returns a crew for rows in this process, to which it holds references.
inline std::shared_ptr<const Crew> crew_of(const Samples& rows, const CommitteeOptions& options = {},
                                           unsigned threads = 1) {
  return crew_of_threads(rows.inputs, rows.outputs, options, threads);
}

/// The experts of one party's rows. Many rows are split among several experts.
class LocalExperts {
 public:
  /// With pooled parts, the experts learn the residuals of these.
  explicit LocalExperts(std::shared_ptr<const Crew> rows, PooledParts pooled = {})
      : committee_(std::move(rows)), pooled_(std::move(pooled)) {}
  /// Holds references to the rows.
  explicit LocalExperts(const Samples& rows, const CommitteeOptions& options = {}, unsigned threads = 1)
      : LocalExperts(crew_of(rows, options, threads)) {}

  std::size_t experts() const { return committee_.experts(); }
  const Committee& committee() const { return committee_; }

  /// Returns the rows' sums over landmarks, for every run of adjacent outputs with equal priors.
  std::vector<LandmarkSums> landmark_sums(const Priors& priors, const Matrix& landmarks) const;

  /// Returns the experts' evidence for each rule. With pooled parts, `priors` must be those of the pooled
  /// parts.
  LocalEvidence evidence(const Matrix& points, const Priors& priors, std::span<const Fusion> rules) const;

  /// Returns h_i of (lml), summed over outputs, and its slopes: for the first output's prior, then for the
  /// next; or for the one prior that all outputs share.
  Likelihood likelihood(const Priors& priors, bool shared = false) const;

  /// Keeps the experts fitted with these priors; later calls of evidence with the same priors use them. Does
  /// nothing if the experts need more than most_bytes or are not in this process.
  void keep(const Priors& priors, std::size_t most_bytes);

 private:
  Committee committee_;
  PooledParts pooled_;
  Priors kept_for_;
  std::map<Index, std::vector<Expert>> kept_;  // by their first output
};

/// Returns the party's own prediction: its experts, fused by the rule.
Prediction predict_alone(const Samples& data, const Matrix& points, const Priors& priors,
                         Fusion rule = Fusion::poe, const CommitteeOptions& options = {});

/// Return the mean over agents for each output. Values that are all equal stay exact. Priors that differ must
/// be the paper's.
OutputHyperparameters mean_hyperparameters(const std::vector<OutputHyperparameters>& agents);
Priors mean_priors(const std::vector<Priors>& agents);

}  // namespace tacit
