#include "tacit/gp/fit/fit.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <random>

#include "tacit/base/error.hpp"
#include "tacit/base/system/parallel.hpp"
#include "tacit/gp/check.hpp"
#include "tacit/gp/expert/blas_threads.hpp"
#include "tacit/gp/fit/initial_prior.hpp"
#include "tacit/gp/normal.hpp"

namespace tacit {
namespace {

// The result of one bounded search.
struct Search {
  std::vector<double> best;
  double value = -INFINITY, objective = -INFINITY;
  EndOf end = EndOf::too_many_evaluations;
  std::vector<double> trace;
};

class Fitting {
 public:
  Fitting(const Matrix& x, const Matrix& y, Prior start, const FitOptions& options, unsigned threads)
      : options_(options),
        start_(std::move(start)),
        committee_(x, y, options.committee, threads),
        outputs_(y.cols()),
        rows_(static_cast<double>(x.rows())),
        logs_(start_.logarithms()),
        low_(logs_),
        high_(logs_) {
    const double reach = std::log(options.reach);
    for (double& log : low_) log -= reach;
    for (double& log : high_) log += reach;
    if (!options.learn_noise) low_.back() = high_.back() = logs_.back();
  }

  Search climb(std::size_t number) const {
    Search search;
    MaximiserLimits limits = options_.limits;
    limits.value_tolerance /= rows_;
    Maximiser climb(start(number), low_, high_, limits);
    while (const auto point = climb.next()) {
      Likelihood l = committee_.likelihood(start_.at(*point), 0, outputs_);
      search.trace.push_back(l.value);
      double objective = l.value;
      for (std::size_t k = 0; k < point->size(); ++k) {
        const double away = options_.prior_width > 0 ? ((*point)[k] - logs_[k]) / options_.prior_width : 0;
        objective -= away * away / 2;
        l.slopes[k] -= options_.prior_width > 0 ? away / options_.prior_width : 0;
        l.slopes[k] /= rows_;  // per row, because the first step is as long as the slope
      }
      if (!options_.learn_noise) l.slopes.back() = 0;
      if (objective > search.objective) {
        search.objective = objective;
        search.value = l.value;
        search.best = *point;
      }
      climb.tell(objective / rows_, std::move(l.slopes));
      if (options_.progress) {
        ++options_.progress->done;
        options_.progress->note(fmt::format("log likelihood {:.6g}", search.value));
      }
    }
    search.end = climb.end();
    return search;
  }

  std::vector<std::string> at_bound(const std::vector<double>& point) const {
    std::vector<std::string> names;
    for (std::size_t k = 0; k < point.size(); ++k)
      if (low_[k] < high_[k] && (point[k] < low_[k] + 1e-6 || point[k] > high_[k] - 1e-6))
        names.push_back(start_.names()[k]);
    return names;
  }

  const Prior& prior() const { return start_; }
  std::size_t experts() const { return committee_.experts(); }

 private:
  // The first search starts at the initial prior, the others at most a factor of 10 away in each parameter.
  std::vector<double> start(std::size_t number) const {
    std::mt19937_64 random(options_.seed + 0x9E3779B97F4A7C15 * number);
    std::vector<double> point = logs_;
    for (std::size_t k = 0; k < point.size(); ++k) {
      const double moved = number ? (2 * uniform(random) - 1) * std::numbers::ln10 : 0;
      point[k] = std::clamp(point[k] + moved, low_[k], high_[k]);
    }
    return point;
  }

  const FitOptions& options_;
  Prior start_;
  Committee committee_;
  Index outputs_;
  double rows_;
  std::vector<double> logs_, low_, high_;
};

void check(const FitOptions& options) {
  if (!(options.reach >= 1 && options.reach <= 1e12))
    throw InputError(fmt::format("reach is {}, but must lie between 1 and 1e12", options.reach));
  if (!(options.prior_width >= 0))
    throw InputError(fmt::format("prior_width is {}, but must be 0 or positive", options.prior_width));
  if (options.limits.most_evaluations == 0)
    throw InputError("most_evaluations is 0, but a search needs at least one");
}

}  // namespace

Model fit(Matrix inputs, const Matrix& outputs, const Kernel& kernel, const FitOptions& options) {
  check(options);
  check_training_rows(inputs, outputs);
  const unsigned threads = options.threads ? options.threads : default_threads();
  const Vector offset =
      options.centre ? outputs.colwise().mean().transpose().eval() : Vector::Zero(outputs.cols()).eval();
  Matrix centred = outputs.rowwise() - offset.transpose();
  Prior start = initial_prior(kernel, data_scale_of(inputs, centred, options.seed));
  if (options.noise) start.noise = *options.noise;
  start = checked_prior(start, inputs.cols());

  // With one expert, the searches run in parallel; with several, the experts.
  const std::size_t searches = options.restarts + 1;
  const bool several = expert_count(static_cast<std::size_t>(inputs.rows()), options.committee) > 1;
  const BlasThreads one_each(1);  // so that the bits do not depend on the number of threads
  const Fitting fitting(inputs, centred, start, options, several ? threads : 1);
  std::vector<Search> found(searches);
  if (options.progress) options.progress->begin("tuning", 0);  // the length of a search is unknown
  parallel_for(several ? 1 : threads, searches, [&](std::size_t k) { found[k] = fitting.climb(k); });

  const Search& best = *std::ranges::max_element(found, {}, &Search::objective);
  FitReport report;
  report.log_marginal_likelihood = best.value;
  for (const Search& search : found) report.evaluations += search.trace.size();
  report.converged = best.end == EndOf::value_settled || best.end == EndOf::point_settled;
  report.reason = to_string(best.end);
  report.at_bound = fitting.at_bound(best.best);
  report.trace = best.trace;
  report.experts = fitting.experts();
  // Fixed parameters are copied, because exp and log would change their last bits.
  const Prior prior = options.reach == 1 && !options.learn_noise ? start : start.at(best.best);
  std::optional<Expert> expert;
  if (!several) expert = Expert::of(inputs, centred, prior);
  report.jitter = expert ? expert->jitter()
                         : Committee(inputs, centred, options.committee, threads)
                               .likelihood(prior, 0, centred.cols())
                               .jitter;
  return Model(std::move(inputs), std::move(centred), offset, prior, std::move(report), options.committee,
               options.fusion, threads, std::move(expert));
}

Model::Model(Matrix inputs, Matrix centred, Vector offset, Prior prior, FitReport report,
             CommitteeOptions committee, Fusion fusion, unsigned threads, std::optional<Expert> expert)
    : inputs_(std::move(inputs)),
      centred_(std::move(centred)),
      offset_(std::move(offset)),
      prior_(std::move(prior)),
      report_(std::move(report)),
      committee_(committee),
      fusion_(fusion),
      threads_(threads),
      expert_(std::move(expert)) {}

Prediction Model::predict(const MatrixView& points, const PredictOptions& options) const {
  const BlasThreads one_each(1);
  Prediction result;
  if (expert_) {
    result = expert_->predict(points, options);
  } else {
    check_finite("points", points);
    const Committee committee(inputs_, centred_, committee_, threads_);
    const auto found = committee.evidence(prior_, 0, centred_.cols(), points, std::span(&fusion_, 1));
    result = fuse(fusion_, found.evidence[0], prior_.kernel.prior_variance(points));
    add_noise(result, Vector::Constant(centred_.cols(), prior_.noise * prior_.noise));
    if (options.clamped) *options.clamped += found.clamped;
  }
  result.mean.rowwise() += offset_.transpose();
  return result;
}

JointPrediction Model::predict_jointly(const MatrixView& points, const JointOptions& options) const {
  if (!expert_)
    throw InputError(
        fmt::format("this model has {} experts, whose fused prediction has variances but no covariance or "
                    "samples; raise expert_rows to fit a single expert",
                    report_.experts));
  const BlasThreads one_each(1);
  JointPrediction result = expert_->predict_jointly(points, options);
  result.each.mean.rowwise() += offset_.transpose();
  for (std::size_t o = 0; o < result.samples.size(); ++o)
    result.samples[o].array() += offset_(static_cast<Index>(o));
  return result;
}

Model Model::add_data(const Matrix& inputs, const Matrix& outputs) const {
  check_training_rows(inputs, outputs);
  if (inputs.cols() != inputs_.cols() || outputs.cols() != centred_.cols())
    throw InputError(
        fmt::format("new rows have {} inputs and {} outputs, but the model was fitted to {} and {}; "
                    "give the same columns in the same order",
                    inputs.cols(), outputs.cols(), inputs_.cols(), centred_.cols()));
  const Matrix centred = outputs.rowwise() - offset_.transpose();
  Matrix all_inputs(inputs_.rows() + inputs.rows(), inputs_.cols()), all(all_inputs.rows(), centred_.cols());
  all_inputs << inputs_, inputs;
  all << centred_, centred;
  FitReport report = report_;
  CommitteeOptions committee = committee_;
  std::optional<Expert> expert;
  if (expert_) {
    expert = expert_->with(inputs, centred);
    committee.expert_rows = std::max(committee.expert_rows, static_cast<std::size_t>(all.rows()));
    report.log_marginal_likelihood = expert->log_marginal_likelihood().sum();
    report.jitter = expert->jitter();
  } else {
    const Likelihood l = Committee(all_inputs, all, committee, threads_).likelihood(prior_, 0, all.cols());
    report.log_marginal_likelihood = l.value;
    report.jitter = l.jitter;
    report.experts = expert_count(static_cast<std::size_t>(all.rows()), committee);
  }
  return Model(std::move(all_inputs), std::move(all), offset_, prior_, std::move(report), committee, fusion_,
               threads_, std::move(expert));
}

}  // namespace tacit
