// What one party computes alone from its own rows: its experts' predictions at some points,
// and their likelihood.
#pragma once

#include <cstddef>
#include <map>
#include <vector>

#include "tacit/data/split.hpp"
#include "tacit/gp/committee.hpp"
#include "tacit/regression/predict.hpp"

namespace tacit {

/// One for each output.
using Priors = std::vector<Prior>;

/// One for each output, as the paper has them.
using OutputHyperparameters = std::vector<Hyperparameters>;
Priors priors_of(const OutputHyperparameters& all);

/// One party's rows, split among experts when they are many. Holds a reference to the rows.
class LocalExperts {
 public:
  explicit LocalExperts(const Samples& data, const CommitteeOptions& options = {}, unsigned threads = 1)
      : data_(&data), committee_(data.inputs, data.outputs, options, threads) {}

  std::size_t experts() const { return committee_.experts(); }
  const Committee& committee() const { return committee_; }

  /// What the experts say, for each rule asked for. Neighbouring outputs with equal priors share factors.
  LocalEvidence evidence(const Matrix& points, const Priors& priors, std::span<const Fusion> rules) const;

  /// h_i of (lml), summed over outputs, and its slopes: of the first output's prior, then of the next one's;
  /// or of the one prior that all share.
  Likelihood likelihood(const Priors& priors, bool shared = false) const;

  /// Keeps the experts fitted with these priors, which later evidence with the same priors then uses. Does
  /// nothing when they would take more bytes than that.
  void keep(const Priors& priors, std::size_t most_bytes);

 private:
  template <class Visit>
  void for_each_prior(const Priors& priors, Visit&& visit) const;

  const Samples* data_;
  Committee committee_;
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
