#include "tacit/regression/local.hpp"

#include <gtest/gtest.h>

#include "tacit/gp/expert.hpp"

namespace tacit {
namespace {

// Outputs that share an expert must come out as if each had its own, wherever the runs of equals begin.
TEST(Local, OutputsThatShareAnExpertAreAsIfAlone) {
  Samples data{Matrix::Random(12, 3), Matrix::Random(12, 4)};
  const Matrix points = Matrix::Random(5, 3);
  const Hyperparameters a{0.7, 1.2, 0.3}, b{1.5, 0.8, 0.3};
  const OutputHyperparameters each{a, b, b, a};
  const LocalPrediction together = predict_alone(data, points, each);
  double likelihood = 0;
  for (Index k = 0; k < 4; ++k) {
    const Expert expert = Expert::fit(data.inputs, data.outputs.col(k), each[static_cast<std::size_t>(k)]);
    const Posterior alone = expert.predict(points);
    EXPECT_LT((together.prediction.mean.col(k) - alone.mean).norm(), 1e-12) << k;
    EXPECT_LT((together.prediction.variance.col(k) - alone.latent_variance).norm(), 1e-12) << k;
    likelihood += expert.log_marginal_likelihood()[0];
  }
  EXPECT_NEAR(local_likelihood(data, each), likelihood, 1e-10);
}

TEST(Local, MeansOfEqualsAreExact) {
  const OutputHyperparameters one{{0.1, 0.2, 0.3}};
  const auto mean = mean_hyperparameters({one, one, one});
  EXPECT_EQ(mean[0].lengthscale, 0.1);
  EXPECT_EQ(mean_hyperparameters({{{1, 2, 3}}, {{3, 4, 5}}})[0].signal, 3);
}

}  // namespace
}  // namespace tacit
