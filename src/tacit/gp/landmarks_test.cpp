#include "tacit/gp/landmarks.hpp"

#include <gtest/gtest.h>

#include "tacit/base/error.hpp"
#include "tacit/gp/committee.hpp"
#include "tacit/gp/expert.hpp"
#include "tacit/gp/kernel/kernel.hpp"
#include "tacit/gp/landmark_sums.hpp"
#include "tacit/gp/testing.h"

namespace tacit::testing {
namespace {

TEST(Landmarks, EveryRowALandmarkIsTheExactPooledModel) {
  const Matrix inputs = random_points(60, 2, 2, 1), points = random_points(25, 2, 2, 2);
  Matrix outputs(60, 1);
  for (Index i = 0; i < 60; ++i) outputs(i, 0) = std::sin(inputs(i, 0)) + 0.3 * inputs(i, 1);
  const Prior prior(se(1.2, 1.1), 0.2);
  const auto landmarks = std::make_shared<const Landmarks>(inputs, prior.kernel);
  const Committee committee(inputs, outputs, {.expert_rows = 20});
  const LandmarkSums sums = committee.landmark_sums(prior, 0, 1, *landmarks);
  const PooledPart pooled(landmarks, sums.precision, sums.weighted);
  const Expert exact = Expert::fit(inputs, outputs, prior);
  const Posterior want = exact.predict(points);
  const Fusion rule = Fusion::rbcm;
  const auto said = committee.evidence(prior, 0, 1, points, std::span(&rule, 1), &pooled);
  const Fused left = fuse(rule, said.evidence[0], said.prior);
  EXPECT_LT((said.pooled.mean + left.mean - want.mean).cwiseAbs().maxCoeff(), 1e-6);
  EXPECT_LT((said.pooled.variance + left.variance - want.latent_variance).cwiseAbs().maxCoeff(), 1e-6);
  EXPECT_NEAR(pooled.log_marginal_likelihood(sums)(0), exact.log_marginal_likelihood()(0), 1e-6);
}

}  // namespace
}  // namespace tacit::testing
