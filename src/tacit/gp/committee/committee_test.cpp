#include "tacit/gp/committee/committee.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>
#include <set>

#include "tacit/base/error.hpp"
#include "tacit/gp/expert/expert.hpp"
#include "tacit/gp/gp_testing.hpp"

namespace tacit {
namespace {

using testing::random_matrix;

TEST(SplitRows, IsAPartitionIntoAsFewExpertsAsFit) {
  for (RowSplit split : {RowSplit::random, RowSplit::clusters})
    for (Index n : {1, 9, 10, 11, 100, 257, 1000}) {
      const CommitteeOptions options{.expert_rows = 10, .split = split};
      const auto parts = split_rows(random_matrix(n, 3, 1), options);
      EXPECT_EQ(parts.size(), static_cast<std::size_t>((n + 9) / 10));
      std::set<Index> seen;
      for (const auto& part : parts) {
        EXPECT_LE(part.size(), 10u);
        EXPECT_GE(part.size(), static_cast<std::size_t>(n) / parts.size());
        EXPECT_TRUE(std::ranges::is_sorted(part));
        seen.insert(part.begin(), part.end());
      }
      EXPECT_EQ(seen.size(), static_cast<std::size_t>(n));
      EXPECT_EQ(parts, split_rows(random_matrix(n, 3, 1), options));
    }
  EXPECT_THROW(split_rows(random_matrix(3, 1, 1), {.expert_rows = 0}), InputError);
  EXPECT_EQ(parse_row_split(to_string(RowSplit::clusters)), RowSplit::clusters);
  EXPECT_THROW(parse_row_split("kd"), InputError);
}

double mean_spread(const Matrix& x, const std::vector<std::vector<Index>>& parts) {
  double sum = 0;
  for (const auto& part : parts) {
    const Matrix rows = x(part, Eigen::all);
    sum += (rows.rowwise() - rows.colwise().mean()).squaredNorm();
  }
  return sum / static_cast<double>(x.rows());
}

TEST(SplitRows, ClustersAreCompactWhateverTheUnits) {
  Matrix x = random_matrix(2000, 2, 3);
  CommitteeOptions options{.expert_rows = 50};
  const double random = mean_spread(x, split_rows(x, options));
  options.split = RowSplit::clusters;
  const auto parts = split_rows(x, options);
  EXPECT_LT(mean_spread(x, parts), random / 10);
  Matrix odd = x;
  odd.col(1) *= 1e6;
  EXPECT_LT(mean_spread(x, split_rows(odd, options)), random / 10);
  const Matrix same = Matrix::Ones(100, 2);
  EXPECT_EQ(split_rows(same, options).size(), 2u);
}

TEST(Committee, IsTheSumOfItsExpertsOnAnyNumberOfThreads) {
  const Matrix x = random_matrix(203, 2, 1), y = random_matrix(203, 3, 2), points = random_matrix(11, 2, 3);
  const Prior prior{se(ard) + constant(0.5), 0.3};
  const CommitteeOptions options{.expert_rows = 3};  // makes more experts than lanes
  const auto parts = split_rows(x, options);
  Likelihood sum{0, std::vector<double>(5), 0};
  std::vector<Matrix> means, variances;
  for (const auto& part : parts) {
    const Matrix px = x(part, Eigen::all), py = y(part, Eigen::seqN(1, 2));
    const Likelihood one = log_marginal_likelihood(px, py, prior);
    sum.value += one.value;
    for (std::size_t k = 0; k < 5; ++k) sum.slopes[k] += one.slopes[k];
    const Prediction p = Expert::of(px, py, prior).predict(points);
    means.push_back(p.mean);
    variances.push_back(p.latent_variance);
  }
  const Matrix before = prior.kernel.prior_variance(points);
  const Committee one(x, y, options, 1), four(x, y, options, 4);
  EXPECT_EQ(one.experts(), parts.size());
  const Likelihood l = one.likelihood(prior, 1, 2);
  EXPECT_NEAR(l.value, sum.value, 1e-9);
  for (std::size_t k = 0; k < 5; ++k) EXPECT_NEAR(l.slopes[k], sum.slopes[k], 1e-9);
  EXPECT_EQ(l.slopes, four.likelihood(prior, 1, 2).slopes);
  const auto found = one.evidence(prior, 1, 2, points, all_fusions);
  const auto again = four.evidence(prior, 1, 2, points, all_fusions);
  for (std::size_t k = 0; k < 4; ++k) {
    const Prediction expected = fuse(all_fusions[k], means, variances, before);
    const Prediction fused = fuse(all_fusions[k], found.evidence[k], before);
    EXPECT_TRUE(fused.mean.isApprox(expected.mean, 1e-12));
    EXPECT_TRUE(fused.latent_variance.isApprox(expected.latent_variance, 1e-12));
    EXPECT_EQ(found.evidence[k].experts, static_cast<double>(parts.size()));
    EXPECT_TRUE(again.evidence[k].weighted_mean == found.evidence[k].weighted_mean);
  }
}

}  // namespace
}  // namespace tacit
