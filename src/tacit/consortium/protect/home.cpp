#include "tacit/consortium/protect/home.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "tacit/base/error.hpp"
#include "tacit/base/stop.hpp"
#include "tacit/consortium/protect/row_kernel.hpp"

namespace tacit {
namespace {

constexpr double least_answer_variance = 1e-9;
// A point is near own rows if they explain as much of its prior variance as they do for all but this share of
// themselves, each left out.
constexpr double far_share = 0.02;
constexpr double few_rows_doubt = 20;
constexpr double outlier_square = 9, calibration_weight = 8;

OwnEvidenceForm form_of(HomeCandidate candidate, Index inputs) {
  switch (candidate) {
    case HomeCandidate::shared:
    case HomeCandidate::retuned:
      return {0, false, 2};
    case HomeCandidate::own:
      return {inputs, false, 1};
    case HomeCandidate::alone:
      return {inputs, true, 0};
  }
  return {};
}

// The search of a candidate under public hyperparameters `theta` (logarithms).
OwnEvidenceSearch search_of(HomeCandidate candidate, Index inputs, const std::vector<double>& theta,
                            double residual) {
  const auto d = static_cast<std::size_t>(inputs);
  const double noise = theta.back();
  OwnEvidenceSearch s;
  const auto add = [&](double start, double deviation, double low, double high) {
    s.start.push_back(start);
    s.mean.push_back(start);
    s.deviation.push_back(deviation);
    s.low.push_back(low);
    s.high.push_back(high);
  };
  switch (candidate) {
    case HomeCandidate::shared:
    case HomeCandidate::retuned:
      add(0, 0.5, -3, 3);
      add(0, 0.5, -3, 3);
      add(noise, 0.7, noise - 3, noise + 3);
      s.evaluations = 20;
      break;
    case HomeCandidate::own:
      for (std::size_t k = 0; k < d; ++k) add(theta[k], 0.7, -1.4, 4.6);
      add(0.5 * std::log(std::max(residual, 1e-3)), 1, -4.6, 1.5);
      add(0, 0.7, -3, 2);
      add(noise, 0.7, std::log(0.03), 0.3);
      break;
    case HomeCandidate::alone: {
      const double root = std::sqrt(static_cast<double>(inputs));
      add(std::log(root), 1, std::log(root / 4), std::log(100.0));
      add(0, 1, std::log(0.01), std::log(100.0));
      add(std::log(0.5), 1, std::log(0.05), std::log(100.0));
      s.evaluations = 40;
      break;
    }
  }
  return s;
}

}  // namespace

std::string to_string(HomeCandidate candidate) {
  switch (candidate) {
    case HomeCandidate::shared:
      return "shared";
    case HomeCandidate::retuned:
      return "retuned";
    case HomeCandidate::own:
      return "own kernel";
    case HomeCandidate::alone:
      return "alone";
  }
  return "";
}

OthersPosterior::OthersPosterior(const OthersInformation& known)
    : mean(known.weighted.cwiseQuotient((known.information.array() + 1).matrix())),
      variance((known.information.array() + 1).inverse()) {}

OthersPosterior::OthersPosterior(Vector mean_of_weights, Matrix covariance_of_weights)
    : mean(std::move(mean_of_weights)), covariance(std::move(covariance_of_weights)) {}

Matrix OthersPosterior::spread(const Matrix& features) const {
  return covariance ? Matrix(*covariance * features) : Matrix(variance.asDiagonal() * features);
}

HomeModel::HomeModel(const Basis& basis, BasisRows mine, OthersPosterior others, Index most_searched)
    : basis_(basis), most_searched_(most_searched), mine_(std::move(mine)), others_(std::move(others)) {
  residual_ = mine_.targets - mine_.features.transpose() * others_.mean;
  shared_ = mine_.features.transpose() * others_.spread(mine_.features);
  shared_ = (shared_ + shared_.transpose()).eval() / 2;
  const OwnEvidenceForm se{basis_.inputs(), false, 0};
  rest_ = se_between(se, basis_.prior().logarithms(), mine_.inputs, mine_.inputs) -
          mine_.features.transpose() * mine_.features;
  rest_ = (rest_ + rest_.transpose()).eval() / 2;
  for (std::size_t k = 0; k < home_candidates; ++k) fitted_[k] = fit(static_cast<HomeCandidate>(k));
  choose();
  calibrate_far();
  find_near();
}

HomeModel::Fitted HomeModel::fit(HomeCandidate candidate) const {
  const OwnEvidenceForm form = form_of(candidate, basis_.inputs());
  const Vector& targets = candidate == HomeCandidate::alone ? mine_.targets : residual_;
  const auto of_first = [&](Index rows) {
    std::vector<Matrix> parts;
    if (form.parts > 0) parts.push_back(shared_.topLeftCorner(rows, rows));
    if (form.parts > 1) parts.push_back(rest_.topLeftCorner(rows, rows));
    return OwnEvidence(form, mine_.inputs.leftCols(rows), targets.head(rows), std::move(parts));
  };
  Fitted fitted;
  const Index rows = targets.size();
  fitted.evidence = std::make_shared<OwnEvidence>(of_first(rows));
  const double residual = (mine_.lambda.sum() - static_cast<double>(rows) * basis_.noise_variance()) /
                          std::max(static_cast<double>(rows), 1.0);
  const OwnEvidenceSearch search =
      search_of(candidate, basis_.inputs(), basis_.prior().logarithms(), residual);
  fitted.parameters = search.start;
  // Rows are in the order of their hashes, so the first ones are a random part.
  if (candidate != HomeCandidate::shared && rows > 0)
    fitted.parameters = rows > most_searched_ ? most_likely(of_first(most_searched_), search)
                                              : most_likely(*fitted.evidence, search);
  auto posterior = fitted.evidence->posterior(fitted.parameters);
  if (!posterior) {
    fitted.parameters = search.start;
    posterior = fitted.evidence->posterior(fitted.parameters);
  }
  if (!posterior)
    throw Error("the covariance of the own rows could not be factorised; look for repeated rows");
  fitted.posterior = std::move(*posterior);
  double squares = 0;
  for (Index row = 0; row < mine_.targets.size(); ++row)
    squares += std::min(std::pow(fitted.posterior.left_out(row), 2) / fitted.posterior.variance(row),
                        outlier_square);
  fitted.calibration =
      (squares + calibration_weight) / (static_cast<double>(mine_.targets.size()) + calibration_weight);
  return fitted;
}

void HomeModel::choose() {
  const auto rows = static_cast<double>(mine_.targets.size());
  for (std::size_t k = 0; k < home_candidates; ++k)
    error_[k] = rows > 0 ? fitted_[k].posterior.left_out.squaredNorm() / rows : 0;
  if (rows < 2) return;
  for (const HomeCandidate rival : {HomeCandidate::retuned, HomeCandidate::own, HomeCandidate::alone}) {
    const Vector gain = fitted_[static_cast<std::size_t>(chosen_)].posterior.left_out.cwiseAbs2() -
                        fitted_[static_cast<std::size_t>(rival)].posterior.left_out.cwiseAbs2();
    const double mean = gain.mean();
    const double deviation = std::sqrt((gain.array() - mean).square().mean());
    // With few rows, hyperparameters of a rival fit the rows that judge it.
    if (mean > (1 + std::pow(few_rows_doubt / rows, 2)) * deviation / std::sqrt(rows)) chosen_ = rival;
  }
}

// How far the others' model alone, without own rows, errs at own rows, relative to what it expects.
void HomeModel::calibrate_far() {
  double squares = 0;
  for (Index row = 0; row < residual_.size(); ++row) {
    const double variance = shared_(row, row) + mine_.lambda(row);
    squares += std::min(residual_(row) * residual_(row) / variance, outlier_square);
  }
  far_calibration_ =
      (squares + calibration_weight) / (static_cast<double>(residual_.size()) + calibration_weight);
}

// With the public prior, each own row's share of prior variance that the other own rows explain.
void HomeModel::find_near() {
  const Index rows = mine_.targets.size();
  if (rows < 2) {
    near_share_ = 2;  // nothing is near
    return;
  }
  const OwnEvidence whole({basis_.inputs(), false, 0}, mine_.inputs, mine_.targets, {});
  const auto posterior = whole.posterior(basis_.prior().logarithms());
  if (!posterior) {
    near_share_ = 2;
    return;
  }
  std::vector<double> shares;
  for (Index row = 0; row < rows; ++row)
    shares.push_back(1 - (posterior->variance(row) - basis_.noise_variance()) / basis_.signal_variance());
  std::ranges::sort(shares);
  near_share_ = shares[static_cast<std::size_t>(far_share * static_cast<double>(rows))];
  near_inverse_ = posterior->inverse;
}

Vector HomeModel::explained(const Matrix& points) const {
  const OwnEvidenceForm se{basis_.inputs(), false, 0};
  const Matrix cross = se_between(se, basis_.prior().logarithms(), points, mine_.inputs);
  return (cross * near_inverse_).cwiseProduct(cross).rowwise().sum() / basis_.signal_variance();
}

std::vector<bool> HomeModel::near(const Matrix& points) const {
  std::vector<bool> result(static_cast<std::size_t>(points.cols()), false);
  if (near_share_ > 1) return result;
  const Vector share = explained(points);
  for (Index k = 0; k < points.cols(); ++k) result[static_cast<std::size_t>(k)] = share(k) >= near_share_;
  return result;
}

HomeModel::Answer HomeModel::answer(const Matrix& points, HomeCandidate candidate, bool calibrated) const {
  if (points.rows() != basis_.inputs())
    throw InputError("points have another number of columns than the model");
  const Fitted& fitted = fitted_[static_cast<std::size_t>(candidate)];
  const OwnEvidenceForm& form = fitted.evidence->form();
  const std::vector<double>& p = fitted.parameters;
  const Matrix features = basis_.features(points);
  const Matrix spread = others_.spread(features);
  Matrix cross = Matrix::Zero(points.cols(), mine_.targets.size());
  Vector before = Vector::Zero(points.cols());
  if (form.inputs > 0) {
    cross += se_between(form, p, points, mine_.inputs);
    before.array() += std::exp(2 * p[form.lengthscales()]);
  }
  if (form.parts > 0) {
    const double factor = std::exp(2 * p[form.first_part()]);
    cross += factor * (spread.transpose() * mine_.features);
    before += factor * features.cwiseProduct(spread).colwise().sum().transpose();
  }
  if (form.parts > 1) {
    const double factor = std::exp(2 * p[form.first_part() + 1]);
    const OwnEvidenceForm se{basis_.inputs(), false, 0};
    cross += factor * (se_between(se, basis_.prior().logarithms(), points, mine_.inputs) -
                       features.transpose() * mine_.features);
    for (Index k = 0; k < points.cols(); ++k)
      before(k) +=
          factor * basis_.residual({features.col(k).data(), static_cast<std::size_t>(features.rows())});
  }
  Answer answer;
  answer.mean = cross * fitted.posterior.alpha;
  if (form.parts > 0) answer.mean += features.transpose() * others_.mean;
  answer.latent = (before - (cross * fitted.posterior.inverse).cwiseProduct(cross).rowwise().sum())
                      .cwiseMax(least_answer_variance);
  answer.variance = answer.latent.array() + std::exp(2 * p[form.noise()]);
  if (calibrated) {
    answer.latent *= fitted.calibration;
    answer.variance *= fitted.calibration;
  }
  return answer;
}

HomeModel::Answer HomeModel::answer(const Matrix& points) const {
  Answer all = answer(points, HomeCandidate::shared, false);
  const double near_calibration = fitted_[static_cast<std::size_t>(HomeCandidate::shared)].calibration;
  const Answer own = chosen_ == HomeCandidate::shared ? Answer() : answer(points, chosen_);
  const std::vector<bool> close = near(points);
  for (Index k = 0; k < points.cols(); ++k) {
    const bool here = close[static_cast<std::size_t>(k)];
    const double calibration = here ? near_calibration : std::max(near_calibration, far_calibration_);
    all.latent(k) *= calibration;
    all.variance(k) *= calibration;
    if (chosen_ == HomeCandidate::shared || !here) continue;
    all.mean(k) = own.mean(k);
    all.latent(k) = own.latent(k);
    all.variance(k) = own.variance(k);
  }
  return all;
}

}  // namespace tacit
