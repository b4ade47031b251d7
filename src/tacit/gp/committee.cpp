#include "tacit/gp/committee.hpp"

#include <algorithm>

namespace tacit {
namespace {

constexpr std::size_t most_landmark_lanes = 16;  // their parts are large

// Columns of a block's outputs.
struct Columns {
  Index first, count;
  Matrix of(const Block& block) const { return block.outputs.middleCols(first, count); }
};

template <class LikelihoodOf>
class LikelihoodJob final : public Job {
 public:
  LikelihoodJob(std::size_t parameters, Columns outputs, LikelihoodOf of)
      : parameters_(parameters), outputs_(outputs), of_(std::move(of)) {}

  std::unique_ptr<Part> part() const override { return std::make_unique<Sum>(*this); }

  static Likelihood from(AddedUp all) {
    return {all.sums[0], {all.sums.begin() + 1, all.sums.end()}, all.jitter};
  }

 private:
  struct Sum final : Part {
    explicit Sum(const LikelihoodJob& j) : job(j), all{std::vector<double>(1 + j.parameters_), 0} {}
    void add(const Block& block) override {
      const Likelihood one = job.of_(block.inputs, job.outputs_.of(block));
      all.sums[0] += one.value;
      for (std::size_t k = 0; k < one.slopes.size(); ++k) all.sums[1 + k] += one.slopes[k];
      all.jitter = std::max(all.jitter, one.jitter);
    }
    AddedUp sum() const override { return all; }
    const LikelihoodJob& job;
    AddedUp all;
  };

  std::size_t parameters_;
  Columns outputs_;
  LikelihoodOf of_;
};

class LandmarkJob final : public Job {
 public:
  LandmarkJob(const Prior& prior, Columns outputs, const Landmarks& landmarks)
      : prior_(prior), outputs_(outputs), landmarks_(landmarks) {}

  std::unique_ptr<Part> part() const override { return std::make_unique<Sum>(*this); }
  std::size_t most_lanes() const override { return most_landmark_lanes; }

  LandmarkSums from(const AddedUp& all) const {
    LandmarkSums sums(landmarks_.count(), outputs_.count);
    const double* next = all.sums.data();
    const auto take = [&](auto& numbers) {
      std::copy_n(next, numbers.size(), numbers.data());
      next += numbers.size();
    };
    take(sums.precision);
    take(sums.weighted);
    take(sums.squares);
    sums.log_determinant = next[0];
    sums.rows = next[1];
    sums.jitter = all.jitter;
    return sums;
  }

 private:
  struct Sum final : Part {
    explicit Sum(const LandmarkJob& j) : job(j), all(j.landmarks_.count(), j.outputs_.count) {}
    void add(const Block& block) override {
      add_landmark_sums(all, block.inputs, job.outputs_.of(block), job.prior_, job.landmarks_);
    }
    AddedUp sum() const override {
      AddedUp flat{{}, all.jitter};
      flat.sums.reserve(
          static_cast<std::size_t>(all.precision.size() + all.weighted.size() + all.squares.size() + 2));
      const auto give = [&](const auto& numbers) {
        flat.sums.insert(flat.sums.end(), numbers.data(), numbers.data() + numbers.size());
      };
      give(all.precision);
      give(all.weighted);
      give(all.squares);
      flat.sums.push_back(all.log_determinant);
      flat.sums.push_back(all.rows);
      return flat;
    }
    const LandmarkJob& job;
    LandmarkSums all;
  };

  const Prior& prior_;
  Columns outputs_;
  const Landmarks& landmarks_;
};

Expert fit_one(const Block& block, const Prior& prior, Columns outputs, const PooledPart* pooled) {
  return pooled ? Expert::fit(block.inputs, outputs.of(block), prior, *pooled)
                : Expert::fit(block.inputs, outputs.of(block), prior);
}

// What experts say at some points: those that were fitted before, or fitted for the occasion.
class EvidenceJob final : public Job {
 public:
  EvidenceJob(const Prior& prior, Columns outputs, const MatrixView& points, std::span<const Fusion> rules,
              const PooledPart* pooled, const std::vector<Expert>* fitted = nullptr)
      : prior_(prior), outputs_(outputs), points_(points), rules_(rules), pooled_(pooled), fitted_(fitted) {
    if (pooled_) {
      features_ = pooled_->landmarks().features(points_);
      before_ = pooled_->landmarks().residual_variance(points_, features_);
    } else {
      before_ = prior_.kernel.prior_variance(points_);
    }
  }

  std::unique_ptr<Part> part() const override { return std::make_unique<Sum>(*this); }

  Committee::Said from(const AddedUp& all) const {
    Committee::Said said;
    const double* next = all.sums.data();
    for (std::size_t k = 0; k < rules_.size(); ++k) {
      Evidence& one = said.evidence.emplace_back(points_.rows(), outputs_.count);
      for (Matrix* numbers : {&one.weighted_mean, &one.precision}) {
        std::copy_n(next, numbers->size(), numbers->data());
        next += numbers->size();
      }
      one.experts = *next++;
    }
    said.clamped = static_cast<std::size_t>(*next);
    said.jitter = all.jitter;
    said.prior = before_;
    if (pooled_)
      said.pooled = {pooled_->mean(features_), pooled_->variance(features_).replicate(1, outputs_.count)};
    return said;
  }

 private:
  struct Sum final : Part {
    explicit Sum(const EvidenceJob& j)
        : job(j), all(j.rules_.size(), Evidence(j.points_.rows(), j.outputs_.count)) {}
    void add(const Block& block) override {
      if (job.fitted_) return ask((*job.fitted_)[block.expert]);
      ask(fit_one(block, job.prior_, job.outputs_, job.pooled_));
    }
    void ask(const Expert& expert) {
      const Posterior posterior = expert.predict(job.points_, {}, job.pooled_ ? &job.features_ : nullptr);
      for (std::size_t k = 0; k < all.size(); ++k)
        add_expert(all[k], job.rules_[k], posterior.mean, posterior.latent_variance, job.before_);
      clamped += posterior.clamped;
      jitter = std::max(jitter, expert.jitter());
    }
    AddedUp sum() const override {
      AddedUp flat{{}, jitter};
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

  const Prior& prior_;
  Columns outputs_;
  const MatrixView& points_;
  std::span<const Fusion> rules_;
  const PooledPart* pooled_;
  const std::vector<Expert>* fitted_;
  Matrix features_;
  Vector before_;
};

}  // namespace

Likelihood Committee::likelihood(const Prior& given, Index first_output, Index outputs) const {
  const Prior prior = checked_prior(given, crew_->inputs());
  const LikelihoodJob job(
      prior.kernel.parameters() + 1, {first_output, outputs},
      [&](const Matrix& x, const Matrix& y) { return log_marginal_likelihood(x, y, prior); });
  return job.from(crew_->add_up(job));
}

Likelihood Committee::landmark_likelihood(const Prior& given, Index first_output, Index outputs,
                                          const PooledPart& pooled) const {
  const Prior prior = checked_prior(given, crew_->inputs());
  const LikelihoodJob job(
      prior.kernel.parameters() + 1, {first_output, outputs},
      [&](const Matrix& x, const Matrix& y) { return tacit::landmark_likelihood(x, y, prior, pooled); });
  return job.from(crew_->add_up(job));
}

LandmarkSums Committee::landmark_sums(const Prior& prior, Index first_output, Index outputs,
                                      const Landmarks& landmarks) const {
  const LandmarkJob job(prior, {first_output, outputs}, landmarks);
  return job.from(crew_->add_up(job));
}

Committee::Said Committee::evidence(const Prior& given, Index first_output, Index outputs,
                                    const MatrixView& points, std::span<const Fusion> rules,
                                    const PooledPart* pooled) const {
  const Prior prior = checked_prior(given, crew_->inputs());
  const EvidenceJob job(prior, {first_output, outputs}, points, rules, pooled);
  return job.from(crew_->add_up(job));
}

Committee::Said Committee::evidence(const std::vector<Expert>& fitted, const MatrixView& points,
                                    std::span<const Fusion> rules, const PooledPart* pooled) const {
  const EvidenceJob job(fitted[0].prior(), {0, fitted[0].outputs()}, points, rules, pooled, &fitted);
  return job.from(crew_->add_up(job));
}

std::vector<Expert> Committee::fit(const Prior& given, Index first_output, Index outputs,
                                   const PooledPart* pooled) const {
  const Prior prior = checked_prior(given, crew_->inputs());
  return crew_->fit([&](const Block& block) {
    return fit_one(block, prior, {first_output, outputs}, pooled);
  });
}

}  // namespace tacit
