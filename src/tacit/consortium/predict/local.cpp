#include "tacit/consortium/predict/local.hpp"

#include <algorithm>

namespace tacit {

Priors priors_of(const OutputHyperparameters& all) { return {all.begin(), all.end()}; }

std::vector<LandmarkSums> LocalExperts::landmark_sums(const Priors& priors, const Matrix& landmarks) const {
  std::vector<LandmarkSums> all;
  for_each_prior(priors, [&](Index first, Index count, const Prior& prior) {
    all.push_back(committee_.landmark_sums(prior, first, count, Landmarks(landmarks, prior.kernel)));
  });
  return all;
}

LocalEvidence LocalExperts::evidence(const Matrix& points, const Priors& priors,
                                     std::span<const Fusion> rules) const {
  const Index outputs = committee_.outputs();
  LocalEvidence result;
  result.prior.resize(points.rows(), outputs);
  result.by_rule.assign(rules.size(), Evidence(points.rows(), outputs));
  if (!pooled_.empty()) result.pooled = {result.prior, result.prior};  // allocates the same size
  std::size_t group = 0;
  for_each_prior(priors, [&](Index first, Index count, const Prior& prior) {
    const bool kept = priors == kept_for_;
    const PooledPart* pooled = pooled_.empty() ? nullptr : pooled_.at(group++).get();
    const Committee::PointEvidence found =
        kept ? committee_.evidence(kept_.at(first), points, rules, pooled)
             : committee_.evidence(prior, first, count, points, rules, pooled);
    for (std::size_t k = 0; k < rules.size(); ++k) {
      Evidence& all = result.by_rule[k];
      all.weighted_mean.middleCols(first, count) = found.evidence[k].weighted_mean;
      all.precision.middleCols(first, count) = found.evidence[k].precision;
      all.experts = found.evidence[k].experts;
    }
    result.prior.middleCols(first, count) = found.prior.replicate(1, count);
    if (pooled) {
      result.pooled.mean.middleCols(first, count) = found.pooled.mean;
      result.pooled.latent_variance.middleCols(first, count) = found.pooled.latent_variance;
    }
    result.clamped += found.clamped;
    result.jitter = std::max(result.jitter, found.jitter);
  });
  return result;
}

Likelihood LocalExperts::likelihood(const Priors& priors, bool shared) const {
  Likelihood all;
  const auto add = [&](const Likelihood& one) {
    all.value += one.value;
    all.jitter = std::max(all.jitter, one.jitter);
    all.slopes.insert(all.slopes.end(), one.slopes.begin(), one.slopes.end());
  };
  if (shared) {
    add(committee_.likelihood(priors[0], 0, committee_.outputs()));
  } else {
    for (std::size_t k = 0; k < priors.size(); ++k)
      add(committee_.likelihood(priors[k], static_cast<Index>(k), 1));
  }
  return all;
}

void LocalExperts::keep(const Priors& priors, std::size_t most_bytes) {
  std::size_t sets = 0;
  for_each_prior(priors, [&](Index, Index, const Prior&) { ++sets; });
  if (committee_.factor_bytes() > most_bytes / sets) return;
  std::size_t group = 0;
  for_each_prior(priors, [&](Index first, Index count, const Prior& prior) {
    const PooledPart* pooled = pooled_.empty() ? nullptr : pooled_.at(group++).get();
    kept_.emplace(first, committee_.make_experts(prior, first, count, pooled));
  });
  kept_for_ = priors;
}

Prediction predict_alone(const Samples& data, const Matrix& points, const Priors& priors, Fusion rule,
                         const CommitteeOptions& options) {
  const LocalEvidence own = LocalExperts(data, options).evidence(points, priors, std::span(&rule, 1));
  return fuse(rule, own.by_rule[0], own.prior);
}

OutputHyperparameters mean_hyperparameters(const std::vector<OutputHyperparameters>& agents) {
  OutputHyperparameters mean = agents[0];  // differences from it are averaged, so equal values stay exact
  const double share = 1 / static_cast<double>(agents.size());
  for (const auto& agent : agents)
    for (std::size_t k = 0; k < agent.size(); ++k) {
      mean[k].lengthscale += share * (agent[k].lengthscale - agents[0][k].lengthscale);
      mean[k].signal += share * (agent[k].signal - agents[0][k].signal);
      mean[k].noise += share * (agent[k].noise - agents[0][k].noise);
    }
  return mean;
}

Priors mean_priors(const std::vector<Priors>& agents) {
  if (std::ranges::all_of(agents, [&](const Priors& one) { return one == agents[0]; })) return agents[0];
  std::vector<OutputHyperparameters> all(agents.size());
  for (std::size_t i = 0; i < agents.size(); ++i)
    for (const Prior& prior : agents[i]) all[i].push_back(hyperparameters_of(prior));
  return priors_of(mean_hyperparameters(all));
}

}  // namespace tacit
