#include "tacit/gp/committee/fusion.hpp"

#include <fmt/format.h>

#include <cmath>
#include <cstddef>
#include <utility>

#include "tacit/base/error.hpp"
#include "tacit/gp/check.hpp"

namespace tacit {
namespace {

constexpr std::pair<Fusion, const char*> names[] = {
    {Fusion::poe, "poe"}, {Fusion::gpoe, "gpoe"}, {Fusion::bcm, "bcm"}, {Fusion::rbcm, "rbcm"}};

// Returns the column for an output. A matrix may have a single column for all outputs.
auto column(const Matrix& m, Index output) { return m.col(m.cols() == 1 ? 0 : output).array(); }

void check_prior(const Matrix& prior, const Matrix& like) {
  if (prior.rows() != like.rows() || (prior.cols() != like.cols() && prior.cols() != 1))
    throw InputError(
        fmt::format("the prior variances are {} x {}, the predictions {} x {}; give k(x,x) for each "
                    "point",
                    prior.rows(), prior.cols(), like.rows(), like.cols()));
}

void check_expert(std::size_t expert, const Matrix& mean, const Matrix& variance, const Matrix& like) {
  if (mean.rows() != like.rows() || mean.cols() != like.cols())
    throw InputError(
        fmt::format("the means of expert {} are {} x {}, those of expert 0 {} x {}; all must predict the "
                    "same outputs at the same points",
                    expert, mean.rows(), mean.cols(), like.rows(), like.cols()));
  if (variance.rows() != mean.rows() || (variance.cols() != mean.cols() && variance.cols() != 1))
    throw InputError(
        fmt::format("the variances of expert {} are {} x {}, its means {} x {}; give one variance for each "
                    "mean, or one column for all outputs",
                    expert, variance.rows(), variance.cols(), mean.rows(), mean.cols()));
  check_finite(fmt::format("means of expert {}", expert), mean);
  for (Index column = 0; column < variance.cols(); ++column)
    for (Index row = 0; row < variance.rows(); ++row)
      if (const double v = variance(row, column); !(v > 0 && std::isfinite(v) && std::isfinite(1 / v)))
        throw InputError(
            fmt::format("variances of expert {}: the value at row {}, column {} (from 0) is {}, but only "
                        "positive ones can be fused; clamp it to a floor first",
                        expert, row, column, v));
}

}  // namespace

Fusion parse_fusion(std::string_view name) {
  for (const auto& [rule, its] : names)
    if (name == its) return rule;
  throw InputError(fmt::format("\"{}\" is not a fusion rule; use poe, gpoe, bcm or rbcm", name));
}

std::string to_string(Fusion rule) { return names[static_cast<std::size_t>(rule)].second; }

Evidence::Evidence(Index points, Index outputs)
    : weighted_mean(Matrix::Zero(points, outputs)), precision(Matrix::Zero(points, outputs)) {}

Evidence& Evidence::operator+=(const Evidence& other) {
  weighted_mean += other.weighted_mean;
  precision += other.precision;
  experts += other.experts;
  return *this;
}

void add_expert(Evidence& evidence, Fusion rule, const Matrix& mean, const Matrix& variance,
                const Matrix& prior) {
  check_expert(static_cast<std::size_t>(evidence.experts), mean, variance, evidence.precision);
  const bool committee = rule == Fusion::bcm || rule == Fusion::rbcm;
  if (committee) check_prior(prior, mean);
  evidence.experts += 1;
  for (Index o = 0; o < mean.cols(); ++o) {
    const auto v = column(variance, o);
    auto p = evidence.precision.col(o).array();
    auto w = evidence.weighted_mean.col(o).array();
    if (!committee) {
      p += v.inverse();
      w += v.inverse() * mean.col(o).array();
      continue;
    }
    const auto k = column(prior, o);
    // Both 1/V − 1/k and log(k/V) are computed from k − V, so that an expert without information (V = k) adds
    // exactly 0. Rounding may have pushed V above k.
    const Eigen::ArrayXd known = (k - v).max(0);
    const Eigen::ArrayXd beta =
        rule == Fusion::bcm ? Eigen::ArrayXd::Ones(v.size()) : (0.5 * (known / v).log1p()).eval();
    p += beta * known / (k * v);
    w += beta * mean.col(o).array() / v;
  }
}

Prediction fuse(Fusion rule, const Evidence& evidence, const Matrix& prior) {
  Prediction result{evidence.weighted_mean, evidence.precision};
  const bool committee = rule == Fusion::bcm || rule == Fusion::rbcm;
  if (committee) {
    check_prior(prior, evidence.precision);
    for (Index o = 0; o < result.latent_variance.cols(); ++o)
      result.latent_variance.col(o).array() += column(prior, o).inverse();
  }
  result.latent_variance = result.latent_variance.cwiseInverse();
  result.mean.array() *= result.latent_variance.array();
  if (rule == Fusion::gpoe) result.latent_variance *= evidence.experts;
  return result;
}

Prediction fuse(Fusion rule, std::span<const Matrix> means, std::span<const Matrix> variances,
                const Matrix& prior) {
  if (means.empty()) throw InputError("there are no predictions to fuse; give those of at least one expert");
  if (means.size() != variances.size())
    throw InputError(fmt::format("there are means of {} experts but variances of {}; give both for each",
                                 means.size(), variances.size()));
  Evidence evidence(means[0].rows(), means[0].cols());
  for (std::size_t i = 0; i < means.size(); ++i) add_expert(evidence, rule, means[i], variances[i], prior);
  return fuse(rule, evidence, prior);
}

Prediction fuse_poe(std::span<const Matrix> means, std::span<const Matrix> variances) {
  return fuse(Fusion::poe, means, variances, {});
}

}  // namespace tacit
