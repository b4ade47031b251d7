#include "tacit/gp/fit/fit.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "tacit/base/error.hpp"
#include "tacit/gp/gp_testing.hpp"

namespace tacit {
namespace {

using testing::random_matrix;
using testing::random_points;

struct Data {
  Matrix inputs, outputs, points;
  Vector truth;
};

// y = 100 + 3 sin(2 a) + noise of 0.2; column b has no effect.
Data waves(Index rows, unsigned seed = 1) {
  Data d{random_points(rows, 2, 2, seed), Matrix(rows, 1), random_points(50, 2, 1.8, seed + 1), {}};
  const auto f = [](const Matrix& x) { return (100 + 3 * (2 * x.col(0).array()).sin()).matrix().eval(); };
  d.outputs = f(d.inputs) + 0.2 * random_matrix(rows, 1, seed + 2);
  d.truth = f(d.points);
  return d;
}

double rms(const Matrix& m) { return std::sqrt(m.squaredNorm() / static_cast<double>(m.size())); }

TEST(Fit, InTwoLinesLearnsFunctionAndNoise) {
  const Data d = waves(120);
  const Model model = fit(d.inputs, d.outputs, se(ard));
  const Prediction p = model.predict(d.points);
  EXPECT_LT(rms(p.mean - d.truth), 0.1);
  EXPECT_NEAR(model.prior().noise, 0.2, 0.05);
  EXPECT_TRUE(model.report().converged) << model.report().reason;
  EXPECT_EQ(model.report().jitter, 0);
  EXPECT_GT(model.report().evaluations, model.report().trace.size());  // there were restarts
  EXPECT_NEAR(*std::ranges::max_element(model.report().trace), model.report().log_marginal_likelihood, 1e-2);
  const std::vector<double> l = model.prior().kernel.leaves()[0].lengthscale;
  EXPECT_GT(l[1], 5 * l[0]);  // the column without effect is recognised
  EXPECT_TRUE((p.observed_variance.array() > p.latent_variance.array()).all());
}

TEST(Fit, IsTheSameOnAnyNumberOfThreadsAndChangesWithTheSeedOnlyInItsRestarts) {
  const Data d = waves(60);
  FitOptions options;
  options.restarts = 4;
  options.threads = 1;
  const Model one = fit(d.inputs, d.outputs, matern32(ard) + constant(), options);
  options.threads = 3;
  const Model three = fit(d.inputs, d.outputs, matern32(ard) + constant(), options);
  EXPECT_EQ(one.prior(), three.prior());
  EXPECT_EQ(one.report(), three.report());
  EXPECT_TRUE(one.predict(d.points).mean == three.predict(d.points).mean);
}

TEST(Fit, DoesNotDependOnUnits) {
  const Data d = waves(60);
  const Model plain = fit(d.inputs, d.outputs, se());
  const Model scaled = fit(1e6 * d.inputs, 1e-3 * d.outputs, se());
  EXPECT_TRUE((1e3 * scaled.predict(1e6 * d.points).mean).isApprox(plain.predict(d.points).mean, 1e-4));
  EXPECT_NEAR(scaled.prior().noise * 1e3, plain.prior().noise, 1e-3);
}

TEST(Fit, ReportsNumbersAtABoundAndASearchThatGaveUp) {
  const Data d = waves(60);
  FitOptions options;
  options.reach = 1.05;
  options.restarts = 0;
  const Model tight = fit(d.inputs, d.outputs, se(ard), options);
  EXPECT_FALSE(tight.report().at_bound.empty());
  EXPECT_EQ(tight.report().at_bound.back(), "noise");
  options = {};
  options.limits.most_evaluations = 2;
  const Model hasty = fit(d.inputs, d.outputs, se(ard), options);
  EXPECT_FALSE(hasty.report().converged);
  EXPECT_EQ(hasty.report().reason, "the allowed number of evaluations was used up");
  EXPECT_EQ(hasty.report().evaluations, 6u);
}

TEST(Fit, KeepsANoiseThatIsNotToBeLearnt) {
  const Data d = waves(40);
  FitOptions options;
  options.noise = 0.7;
  options.learn_noise = false;
  EXPECT_DOUBLE_EQ(fit(d.inputs, d.outputs, se(), options).prior().noise, 0.7);
}

TEST(Fit, NumbersInTheKernelAreWhereItStarts) {
  const Data d = waves(30);
  FitOptions options;
  options.reach = 1;
  const Kernel kernel = se({0.7, 3.}, 2.5);
  const Model model = fit(d.inputs, d.outputs, kernel, options);
  for (std::size_t k = 0; k < 3; ++k)
    EXPECT_NEAR(model.prior().kernel.numbers()[k], kernel.numbers()[k], 1e-12);
  options.noise = 0.3;
  options.learn_noise = false;
  EXPECT_EQ(fit(d.inputs, d.outputs, kernel, options).prior(),
            Prior(kernel, 0.3));  // all parameters are fixed
}

TEST(Fit, ManyRowsBecomeACommittee) {
  const Data d = waves(900);
  FitOptions options;
  options.committee.expert_rows = 100;
  options.restarts = 0;
  for (RowSplit split : {RowSplit::random, RowSplit::clusters}) {
    options.committee.split = split;
    const Model model = fit(d.inputs, d.outputs, se(ard), options);
    EXPECT_EQ(model.report().experts, 9u);
    const Prediction p = model.predict(d.points);
    EXPECT_LT(rms(p.mean - d.truth), 0.1);
    EXPECT_NEAR(model.prior().noise, 0.2, 0.03);
    EXPECT_THROW(model.predict_jointly(d.points), InputError);
    EXPECT_LT(rms(model.add_data(d.inputs, d.outputs).predict(d.points).mean - d.truth), 0.1);
  }
}

TEST(Fit, PredictionsHaveAColumnForEveryOutput) {
  const Data d = waves(120);
  Matrix outputs(120, 2);
  outputs << d.outputs, 2 * d.outputs;
  FitOptions options;
  options.restarts = 0;
  for (const std::size_t expert_rows : {120, 60}) {  // one expert, and a committee of two
    options.committee.expert_rows = expert_rows;
    const Model model = fit(d.inputs, outputs, se(), options);
    const Prediction p = model.predict(d.points);
    for (const Matrix* part : {&p.mean, &p.latent_variance, &p.observed_variance}) {
      EXPECT_EQ(part->rows(), d.points.rows());
      EXPECT_EQ(part->cols(), 2);
    }
    EXPECT_EQ(p.latent_variance.col(0), p.latent_variance.col(1));
    const double noise = model.prior().noise;
    EXPECT_TRUE(p.observed_variance == (p.latent_variance.array() + noise * noise).matrix());
  }
}

TEST(Fit, MoreDataIsARefitWithTheSameNumbers) {
  const Data d = waves(80), more = waves(40, 9);
  const Model model = fit(d.inputs, d.outputs, se(ard));
  const Model grown = model.add_data(more.inputs, more.outputs);
  EXPECT_EQ(grown.rows(), 120);
  EXPECT_EQ(grown.prior(), model.prior());
  Matrix x(120, 2), y(120, 1);
  x << d.inputs, more.inputs;
  y << d.outputs, more.outputs;
  const Expert refit = Expert::of(x, y.array() - model.offset()(0), model.prior());
  const Prediction p = grown.predict(d.points), expected = refit.predict(d.points);
  EXPECT_TRUE((p.mean.array() - model.offset()(0)).matrix().isApprox(expected.mean, 1e-9));
  EXPECT_TRUE(p.latent_variance.isApprox(expected.latent_variance, 1e-8));
  EXPECT_NEAR(grown.report().log_marginal_likelihood, refit.log_marginal_likelihood()(0), 1e-8);
  EXPECT_THROW(model.add_data(Matrix::Zero(1, 3), Matrix::Zero(1, 1)), InputError);
}

TEST(Fit, SurvivesDataThatSayLittle) {
  const Matrix one = Matrix::Ones(1, 2);
  EXPECT_NEAR(fit(one, Matrix::Constant(1, 1, 5), se(ard)).predict(one).mean(0, 0), 5, 1e-9);
  const Model flat = fit(random_matrix(20, 1, 1), Matrix::Constant(20, 1, 7), se());
  EXPECT_NEAR(flat.predict(Matrix::Zero(1, 1)).mean(0, 0), 7, 1e-9);
  const Model same = fit(Matrix::Ones(20, 1), random_matrix(20, 1, 2), se());  // one point, twenty outputs
  EXPECT_TRUE(std::isfinite(same.predict(Matrix::Ones(1, 1)).mean(0, 0)));
}

TEST(Fit, RefusesWhatItCannotUse) {
  const Matrix x = random_matrix(5, 2, 1), y = random_matrix(5, 1, 2);
  EXPECT_THROW(fit(x, random_matrix(4, 1, 2), se()), InputError);
  EXPECT_THROW(fit(x, y, se({1, 2, 3})), InputError);
  EXPECT_THROW(fit(x, y, se(), {.noise = -1}), InputError);
  EXPECT_THROW(fit(x, y, se(), {.reach = 0.5}), InputError);
  EXPECT_THROW(fit(x, y, se(), {.prior_width = -1}), InputError);
  EXPECT_THROW(fit(x, y, se(), {.limits = {.most_evaluations = 0}}), InputError);
}

}  // namespace
}  // namespace tacit
