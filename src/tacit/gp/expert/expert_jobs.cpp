#include "tacit/gp/expert/expert_jobs.hpp"

#include <algorithm>

#include "tacit/gp/expert/saved_prior.hpp"
#include "tacit/gp/landmarks/landmark_likelihood.hpp"

namespace tacit {
namespace {

void write_outputs(SavedWriter& out, OutputColumns outputs) {
  out.number<std::int64_t>(outputs.first);
  out.number<std::int64_t>(outputs.count);
}

OutputColumns read_outputs(SavedReader& in) {
  const auto first = in.number<std::int64_t>(), count = in.number<std::int64_t>();
  if (first < 0 || count < 1) in.damaged();
  return {first, count};
}

void write_pooled_if_any(SavedWriter& out, const std::shared_ptr<const PooledPart>& pooled) {
  out.number<std::uint32_t>(pooled != nullptr);
  if (pooled) write(out, *pooled);
}

std::shared_ptr<const PooledPart> read_pooled_if_any(SavedReader& in) {
  return in.choice<std::uint32_t>(2) == 1 ? read_pooled_part(in) : nullptr;
}

}  // namespace

LikelihoodJob::LikelihoodJob(const Prior& prior, OutputColumns outputs,
                             std::shared_ptr<const PooledPart> pooled)
    : SumJob(1 + prior.kernel.parameters() + 1),
      prior_(prior),
      outputs_(outputs),
      pooled_(std::move(pooled)) {}

void LikelihoodJob::add(const Block& block, ExpertSums& all) const {
  const Likelihood one = pooled_ ? landmark_likelihood(block.inputs, outputs_.of(block), prior_, *pooled_)
                                 : log_marginal_likelihood(block.inputs, outputs_.of(block), prior_);
  all.sums[0] += one.value;
  for (std::size_t k = 0; k < one.slopes.size(); ++k) all.sums[1 + k] += one.slopes[k];
  all.jitter = std::max(all.jitter, one.jitter);
}

Likelihood LikelihoodJob::from(const ExpertSums& all) {
  return {all.sums[0], {all.sums.begin() + 1, all.sums.end()}, all.jitter};
}

void LikelihoodJob::write(SavedWriter& out) const {
  tacit::write(out, prior_);
  write_outputs(out, outputs_);
  write_pooled_if_any(out, pooled_);
}

std::unique_ptr<const Job> LikelihoodJob::read(SavedReader& in) {
  const Prior prior = read_prior(in);
  const OutputColumns outputs = read_outputs(in);
  return std::make_unique<const LikelihoodJob>(prior, outputs, read_pooled_if_any(in));
}

struct LandmarkJob::Sum final : Job::Part {
  explicit Sum(const LandmarkJob& j) : job(j), all(j.landmarks_->count(), j.outputs_.count) {}
  void add(const Block& block) override {
    add_landmark_sums(all, block.inputs, job.outputs_.of(block), job.prior_, *job.landmarks_);
  }
  // Only the lower triangle of A is included.
  ExpertSums sum() const override {
    ExpertSums flat{{}, all.jitter};
    const Index landmarks = all.precision.rows();
    flat.sums.reserve(static_cast<std::size_t>(landmarks * (landmarks + 1) / 2 + all.weighted.size() +
                                               all.squares.size() + 2));
    const auto give = [&](const auto& numbers) {
      flat.sums.insert(flat.sums.end(), numbers.data(), numbers.data() + numbers.size());
    };
    for (Index j = 0; j < landmarks; ++j) give(all.precision.col(j).tail(landmarks - j));
    give(all.weighted);
    give(all.squares);
    flat.sums.push_back(all.log_determinant);
    flat.sums.push_back(all.rows);
    return flat;
  }
  const LandmarkJob& job;
  LandmarkSums all;
};

std::unique_ptr<Job::Part> LandmarkJob::part() const { return std::make_unique<Sum>(*this); }

LandmarkSums LandmarkJob::from(const ExpertSums& all) const {
  LandmarkSums sums(landmarks_->count(), outputs_.count);
  const double* next = all.sums.data();
  const auto take = [&](auto& numbers) {
    std::copy_n(next, numbers.size(), numbers.data());
    next += numbers.size();
  };
  for (Index j = 0; j < landmarks_->count(); ++j) {
    auto lower = sums.precision.col(j).tail(landmarks_->count() - j);
    take(lower);
  }
  take(sums.weighted);
  take(sums.squares);
  sums.log_determinant = next[0];
  sums.rows = next[1];
  sums.jitter = all.jitter;
  return sums;
}

void LandmarkJob::write(SavedWriter& out) const {
  tacit::write(out, prior_);
  write_outputs(out, outputs_);
  tacit::write(out, *landmarks_);
}

std::unique_ptr<const Job> LandmarkJob::read(SavedReader& in) {
  const Prior prior = read_prior(in);
  const OutputColumns outputs = read_outputs(in);
  return std::make_unique<const LandmarkJob>(prior, outputs, read_landmarks(in));
}

Expert fit_expert(const Block& block, const Prior& prior, OutputColumns outputs, const PooledPart* pooled) {
  return pooled ? Expert::of(block.inputs, outputs.of(block), prior, *pooled)
                : Expert::of(block.inputs, outputs.of(block), prior);
}

struct EvidenceJob::Sum final : Job::Part {
  explicit Sum(const EvidenceJob& j)
      : job(j), all(j.rules_.size(), Evidence(j.points_.rows(), j.outputs_.count)) {}
  void add(const Block& block) override {
    if (job.fitted_) return ask((*job.fitted_)[block.expert]);
    ask(fit_expert(block, job.prior_, job.outputs_, job.pooled_.get()));
  }
  void ask(const Expert& expert) {
    const Prediction its = expert.predict(
        job.points_, {.features = job.pooled_ ? &job.features_ : nullptr, .clamped = &clamped});
    for (std::size_t k = 0; k < all.size(); ++k)
      add_expert(all[k], job.rules_[k], its.mean, its.latent_variance, job.before_);
    jitter = std::max(jitter, expert.jitter());
  }
  ExpertSums sum() const override {
    ExpertSums flat{{}, jitter};
    for (const Evidence& one : all) {
      for (const Matrix* numbers : {&one.weighted_mean, &one.precision})
        flat.sums.insert(flat.sums.end(), numbers->data(), numbers->data() + numbers->size());
      flat.sums.push_back(one.experts);
    }
    flat.sums.push_back(static_cast<double>(clamped));
    return flat;
  }
  const EvidenceJob& job;
  std::vector<Evidence> all;
  std::size_t clamped = 0;
  double jitter = 0;
};

EvidenceJob::EvidenceJob(const Prior& prior, OutputColumns outputs, const MatrixView& points,
                         std::span<const Fusion> rules, std::shared_ptr<const PooledPart> pooled,
                         const std::vector<Expert>* fitted)
    : prior_(prior),
      outputs_(outputs),
      points_(points),
      rules_(rules.begin(), rules.end()),
      pooled_(std::move(pooled)),
      fitted_(fitted) {
  if (pooled_) {
    features_ = pooled_->landmarks().features(points_);
    before_ = pooled_->landmarks().residual_variance(points_, features_);
  } else {
    before_ = prior_.kernel.prior_variance(points_);
  }
}

std::unique_ptr<Job::Part> EvidenceJob::part() const { return std::make_unique<Sum>(*this); }

EvidenceJob::PointEvidence EvidenceJob::from(const ExpertSums& all) const {
  PointEvidence result;
  const double* next = all.sums.data();
  for (std::size_t k = 0; k < rules_.size(); ++k) {
    Evidence& one = result.evidence.emplace_back(points_.rows(), outputs_.count);
    for (Matrix* numbers : {&one.weighted_mean, &one.precision}) {
      std::copy_n(next, numbers->size(), numbers->data());
      next += numbers->size();
    }
    one.experts = *next++;
  }
  result.clamped = static_cast<std::size_t>(*next);
  result.jitter = all.jitter;
  return result;
}

void EvidenceJob::write(SavedWriter& out) const {
  tacit::write(out, prior_);
  write_outputs(out, outputs_);
  out.matrix(points_);
  out.number<std::uint64_t>(rules_.size());
  for (const Fusion rule : rules_) out.number(static_cast<std::uint32_t>(rule));
  write_pooled_if_any(out, pooled_);
}

std::unique_ptr<const Job> EvidenceJob::read(SavedReader& in) {
  const Prior prior = read_prior(in);
  const OutputColumns outputs = read_outputs(in);
  const Matrix points = in.matrix();
  std::vector<Fusion> rules(in.count(sizeof(std::uint32_t)));
  for (Fusion& rule : rules) rule = in.choice<Fusion>(std::size(all_fusions));
  return std::make_unique<const EvidenceJob>(prior, outputs, points, rules, read_pooled_if_any(in));
}

}  // namespace tacit
