#include "tacit/consortium/predict/predict.hpp"

#include <algorithm>
#include <cmath>

namespace tacit {

Prediction with_pooled(Prediction residual, const LocalEvidence& local) {
  if (local.pooled.mean.size() == 0) return residual;
  residual.mean += local.pooled.mean;
  residual.latent_variance += local.pooled.latent_variance;
  return residual;
}

Evidence poe_evidence(const Prediction& expert) {
  Evidence evidence(expert.mean.rows(), expert.mean.cols());
  add_expert(evidence, Fusion::poe, expert.mean, expert.latent_variance, {});
  return evidence;
}

Values contribution(const Evidence& mine, const PredictionSum& sum) {
  Values values(mine.weighted_mean.reshaped().begin(), mine.weighted_mean.reshaped().end());
  values.insert(values.end(), mine.precision.reshaped().begin(), mine.precision.reshaped().end());
  if (sum.rule == Fusion::gpoe) values.push_back(mine.experts * sum.count_unit);
  return values;
}

Evidence from_sums(const Values& sums, Eigen::Index points, Eigen::Index outputs, const PredictionSum& sum) {
  Evidence total(points, outputs);
  const Eigen::Index n = points * outputs;
  std::copy_n(sums.begin(), n, total.weighted_mean.data());
  std::copy_n(sums.begin() + n, n, total.precision.data());
  if (sum.rule == Fusion::gpoe) total.experts = std::max(1.0, std::round(sums.back() / sum.count_unit));
  return total;
}

std::size_t unconverged(const Prediction& prediction) {
  return static_cast<std::size_t>(
      (!(prediction.latent_variance.array() > 0 && prediction.latent_variance.array().isFinite())).count());
}

Evidence relative_to(const Matrix& prior, Evidence evidence) {
  evidence.weighted_mean.array() *= prior.array().sqrt();
  evidence.precision.array() *= prior.array();
  return evidence;
}

Task<Prediction> predict_privately(Run& net, const SecureSum& secure_sum, const PredictionSum& sum,
                                   const Evidence& mine, const Matrix& prior) {
  Values values = contribution(sum.relative ? relative_to(prior, mine) : mine, sum);
  const Values sums = co_await secure_sum.sum(net, std::move(values), sum.range);
  const Evidence total = from_sums(sums, mine.precision.rows(), mine.precision.cols(), sum);
  co_return fuse(sum.rule, sum.relative ? relative_to(prior.cwiseInverse(), total) : total, prior);
}

}  // namespace tacit
