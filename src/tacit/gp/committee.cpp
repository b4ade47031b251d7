#include "tacit/gp/committee.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <optional>
#include <random>

#include "tacit/base/error.hpp"
#include "tacit/base/parallel.hpp"

namespace tacit {
namespace {

// Sums are formed in this many lanes, each in order, then lane by lane: the same bits on any number of
// threads, and no more than this many partial results at a time.
constexpr std::size_t most_lanes = 64;
constexpr std::size_t most_landmark_lanes = 16;  // their partial results are large

using Rows = std::vector<Index>;

// Splits rows into experts of equal size by cutting them in two repeatedly: each time across the line between
// two centres that k-means finds, at the place that gives the right sizes.
class Bisection {
 public:
  Bisection(const Matrix& inputs, std::uint64_t seed)
      : inputs_(inputs), random_(seed), weights_(inputs.cols()) {
    for (Index d = 0; d < inputs.cols(); ++d) {
      const auto column = inputs.col(d).array();
      const double spread = (column - column.mean()).square().mean();
      weights_(d) = spread > 0 ? 1 / spread : 0;
    }
  }

  void cut(Rows rows, std::size_t experts, std::vector<Rows>& into) {
    if (experts == 1) {
      std::ranges::sort(rows);
      into.push_back(std::move(rows));
      return;
    }
    const std::size_t left_experts = experts / 2;
    const std::size_t left_rows = rows.size() * left_experts / experts;
    const Vector direction = between_centres(rows);
    std::vector<std::pair<double, Index>> along;
    along.reserve(rows.size());
    for (Index r : rows) along.emplace_back(inputs_.row(r).dot(direction), r);
    std::ranges::nth_element(along, along.begin() + static_cast<std::ptrdiff_t>(left_rows));
    Rows left, right;
    for (std::size_t i = 0; i < along.size(); ++i) (i < left_rows ? left : right).push_back(along[i].second);
    rows = {};
    cut(std::move(left), left_experts, into);
    cut(std::move(right), experts - left_experts, into);
  }

 private:
  // Two-means on at most this many rows; their centres are as good as those of all rows.
  static constexpr std::size_t most_sampled = 2000;

  Vector between_centres(const Rows& rows) {
    Rows sample;
    for (std::size_t i = 0; i < std::min(most_sampled, rows.size()); ++i)
      sample.push_back(rows.size() <= most_sampled ? rows[i] : rows[random_() % rows.size()]);
    Vector a = inputs_.row(sample[random_() % sample.size()]), b = a;
    double farthest = -1;
    for (Index r : sample)
      if (const double d = distance(inputs_.row(r), a); d > farthest) {
        farthest = d;
        b = inputs_.row(r);
      }
    for (int round = 0; round < 10; ++round) {
      Vector sums[2] = {Vector::Zero(a.size()), Vector::Zero(a.size())};
      double counts[2] = {0, 0};
      for (Index r : sample) {
        const int nearer = distance(inputs_.row(r), b) < distance(inputs_.row(r), a);
        sums[nearer] += inputs_.row(r);
        ++counts[nearer];
      }
      if (counts[0] == 0 || counts[1] == 0) break;
      a = sums[0] / counts[0];
      b = sums[1] / counts[1];
    }
    return (b - a).cwiseProduct(weights_);
  }

  double distance(const Vector& x, const Vector& y) const { return (x - y).cwiseAbs2().dot(weights_); }

  const Matrix& inputs_;
  std::mt19937_64 random_;
  Vector weights_;
};

}  // namespace

RowSplit parse_row_split(std::string_view name) {
  if (name == "random") return RowSplit::random;
  if (name == "clusters") return RowSplit::clusters;
  throw InputError(fmt::format("\"{}\" is not a way to split rows; use random or clusters", name));
}

std::string to_string(RowSplit split) { return split == RowSplit::random ? "random" : "clusters"; }

std::size_t expert_count(std::size_t rows, const CommitteeOptions& options) {
  if (options.expert_rows == 0) throw InputError("an expert needs at least one row; raise expert_rows");
  return std::max<std::size_t>(1, (rows + options.expert_rows - 1) / options.expert_rows);
}

std::vector<std::vector<Index>> split_rows(const Matrix& inputs, const CommitteeOptions& options) {
  const auto rows = static_cast<std::size_t>(inputs.rows());
  const std::size_t experts = expert_count(rows, options);
  Rows all(rows);
  std::iota(all.begin(), all.end(), 0);
  std::vector<Rows> parts;
  if (experts == 1) return {all};
  if (options.split == RowSplit::clusters) {
    Bisection(inputs, options.seed).cut(std::move(all), experts, parts);
    return parts;
  }
  std::mt19937_64 random(options.seed);
  for (std::size_t i = rows; i > 1; --i) std::swap(all[i - 1], all[random() % i]);
  for (std::size_t e = 0; e < experts; ++e) {
    const auto at = [&](std::size_t k) {
      return all.begin() + static_cast<std::ptrdiff_t>(rows * k / experts);
    };
    parts.emplace_back(at(e), at(e + 1));
    std::ranges::sort(parts.back());
  }
  return parts;
}

Committee::Committee(const Matrix& inputs, const Matrix& outputs, const CommitteeOptions& options,
                     unsigned threads)
    : inputs_(inputs), outputs_(outputs), parts_(split_rows(inputs, options)), threads_(threads) {}

std::size_t Committee::lanes() const { return std::min(parts_.size(), most_lanes); }

template <class Work>
void Committee::for_each_expert(std::size_t lanes, Work&& work) const {
  parallel_for(threads_, lanes, [&](std::size_t lane) {
    for (std::size_t e = parts_.size() * lane / lanes; e < parts_.size() * (lane + 1) / lanes; ++e)
      work(e, lane);
  });
}

template <class LikelihoodOf>
Likelihood Committee::summed(std::size_t parameters, Index first_output, Index outputs,
                             LikelihoodOf&& likelihood_of) const {
  const Likelihood none{0, std::vector<double>(parameters), 0};
  std::vector<Likelihood> sums(lanes(), none);
  const auto add = [](Likelihood& sum, const Likelihood& one) {
    sum.value += one.value;
    for (std::size_t k = 0; k < one.slopes.size(); ++k) sum.slopes[k] += one.slopes[k];
    sum.jitter = std::max(sum.jitter, one.jitter);
  };
  for_each_expert(lanes(), [&](std::size_t e, std::size_t lane) {
    add(sums[lane], likelihood_of(inputs_(parts_[e], Eigen::all),
                                  outputs_(parts_[e], Eigen::seqN(first_output, outputs))));
  });
  Likelihood total = none;
  for (const Likelihood& lane : sums) add(total, lane);
  return total;
}

Likelihood Committee::likelihood(const Prior& given, Index first_output, Index outputs) const {
  const Prior prior = checked_prior(given, inputs_.cols());
  const auto of = [&](const Matrix& x, const Matrix& y) { return log_marginal_likelihood(x, y, prior); };
  return summed(prior.kernel.parameters() + 1, first_output, outputs, of);
}

Likelihood Committee::landmark_likelihood(const Prior& given, Index first_output, Index outputs,
                                          const PooledPart& pooled) const {
  const Prior prior = checked_prior(given, inputs_.cols());
  const auto of = [&](const Matrix& x, const Matrix& y) {
    return tacit::landmark_likelihood(x, y, prior, pooled);
  };
  return summed(prior.kernel.parameters() + 1, first_output, outputs, of);
}

LandmarkSums Committee::landmark_sums(const Prior& prior, Index first_output, Index outputs,
                                      const Landmarks& landmarks) const {
  const std::size_t lanes = std::min(parts_.size(), most_landmark_lanes);
  std::vector<LandmarkSums> sums(lanes);
  for_each_expert(lanes, [&](std::size_t e, std::size_t lane) {
    if (sums[lane].rows == 0) sums[lane] = LandmarkSums(landmarks.count(), outputs);
    add_landmark_sums(sums[lane], inputs_(parts_[e], Eigen::all),
                      outputs_(parts_[e], Eigen::seqN(first_output, outputs)), prior, landmarks);
  });
  LandmarkSums total = std::move(sums[0]);
  for (std::size_t lane = 1; lane < lanes; ++lane) total += sums[lane];
  return total;
}

Committee::Said Committee::evidence(const Prior& given, Index first_output, Index outputs,
                                    const MatrixView& points, std::span<const Fusion> rules,
                                    const PooledPart* pooled) const {
  const Prior prior = checked_prior(given, inputs_.cols());
  return gather(prior, outputs, points, rules, pooled,
                [&](std::size_t e) { return fit_one(e, prior, first_output, outputs, pooled); });
}

Committee::Said Committee::evidence(const std::vector<Expert>& fitted, const MatrixView& points,
                                    std::span<const Fusion> rules, const PooledPart* pooled) const {
  return gather(fitted[0].prior(), fitted[0].outputs(), points, rules, pooled,
                [&](std::size_t e) -> const Expert& { return fitted[e]; });
}

std::vector<Expert> Committee::fit(const Prior& given, Index first_output, Index outputs,
                                   const PooledPart* pooled) const {
  const Prior prior = checked_prior(given, inputs_.cols());
  std::vector<std::optional<Expert>> all(parts_.size());
  for_each_expert(lanes(), [&](std::size_t e, std::size_t) {
    all[e] = fit_one(e, prior, first_output, outputs, pooled);
  });
  std::vector<Expert> fitted;
  fitted.reserve(all.size());
  for (auto& one : all) fitted.push_back(std::move(*one));
  return fitted;
}

std::size_t Committee::factor_bytes() const {
  std::size_t sum = 0;
  for (const Rows& part : parts_) sum += sizeof(double) * part.size() * part.size();
  return sum;
}

Expert Committee::fit_one(std::size_t e, const Prior& prior, Index first_output, Index outputs,
                          const PooledPart* pooled) const {
  const Matrix inputs = inputs_(parts_[e], Eigen::all);
  const Matrix targets = outputs_(parts_[e], Eigen::seqN(first_output, outputs));
  return pooled ? Expert::fit(inputs, targets, prior, *pooled) : Expert::fit(inputs, targets, prior);
}

template <class ExpertOf>
Committee::Said Committee::gather(const Prior& prior, Index outputs, const MatrixView& points,
                                  std::span<const Fusion> rules, const PooledPart* pooled,
                                  ExpertOf&& expert_of) const {
  const Said nothing{std::vector<Evidence>(rules.size(), Evidence(points.rows(), outputs)), {}, {}};
  Said total = nothing;
  Matrix features;
  if (pooled) {
    features = pooled->landmarks().features(points);
    total.prior = pooled->landmarks().residual_variance(points, features);
    total.pooled = {pooled->mean(features), pooled->variance(features).replicate(1, outputs)};
  } else {
    total.prior = prior.kernel.prior_variance(points);
  }
  std::vector<Said> sums(lanes(), nothing);
  for_each_expert(lanes(), [&](std::size_t e, std::size_t lane) {
    const Expert& expert = expert_of(e);
    const Posterior posterior = expert.predict(points, {}, pooled ? &features : nullptr);
    for (std::size_t k = 0; k < rules.size(); ++k)
      add_expert(sums[lane].evidence[k], rules[k], posterior.mean, posterior.latent_variance, total.prior);
    sums[lane].clamped += posterior.clamped;
    sums[lane].jitter = std::max(sums[lane].jitter, expert.jitter());
  });
  for (const Said& lane : sums) {
    for (std::size_t k = 0; k < rules.size(); ++k) total.evidence[k] += lane.evidence[k];
    total.clamped += lane.clamped;
    total.jitter = std::max(total.jitter, lane.jitter);
  }
  return total;
}

}  // namespace tacit
