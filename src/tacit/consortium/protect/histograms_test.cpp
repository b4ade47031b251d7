#include "tacit/consortium/protect/histograms.hpp"

#include <gtest/gtest.h>

#include <random>

#include "tacit/base/error.hpp"
#include "tacit/consortium/protect/copula.hpp"
#include "tacit/consortium/protect/normal_scores.hpp"
#include "tacit/consortium/protect/protect_testing.hpp"

namespace tacit {
namespace {

// A run that opens these numbers, with this noise.
class GivenTotals final : public ProtectedRun {
 public:
  GivenTotals(Values total, double noise)
      : ProtectedRun({.agents = 3}), total_(std::move(total)), noise_(noise) {}
  double noise_of(const Opening&) const override { return noise_; }
  Task<OpenedSum> sum(const Opening&, const KeyTerms&) override {
    co_return OpenedSum{total_, total_, noise_};
  }

 private:
  Values total_;
  double noise_;
};

const std::vector<PublicColumn> smooth_columns = {{-3, 3}, {-3, 3}, {-3, 3}, {-5, 25}};

TEST(Histograms, GiveTheMarginalsOfKnownAnswers) {
  const auto answer = testing::protect_answer("marginal");
  const auto& noisy = answer.numbers.at("noisy");
  const auto& range = answer.numbers.at("range");
  // A column of the known answer, and a target with the same counts. With 260 rows there are 8 bins.
  Values total(noisy.begin(), noisy.end());
  total.insert(total.end(), noisy.begin(), noisy.end());
  GivenTotals run(total, range[2]);
  const PublicColumn column{range[0], range[1]};
  const Scales scales = testing::finished(
      open_scales(run, {column, column}, testing::own_rows({Matrix(0, 1), Matrix(0, 1)}), 165, 1));
  ASSERT_EQ(scales.bins, 8u);
  const Marginal& found = scales.columns[0];
  EXPECT_NEAR(found.centre, answer.numbers.at("centre")[0], 1e-8);
  EXPECT_NEAR(found.spread, answer.numbers.at("spread")[0], 1e-8);
  for (std::size_t k = 0; k < found.below.size(); ++k)
    EXPECT_NEAR(found.below[k], answer.numbers.at("below")[k], 1e-12);
  for (std::size_t k = 0; k < 5; ++k) {
    const double x = answer.numbers.at("points")[k], share = found.share(x);
    EXPECT_NEAR(share, answer.numbers.at("shares")[k], 1e-12);
    if (share > 0 && share < 1) {
      EXPECT_NEAR(found.share(found.quantile(share)), share, 1e-12);
    }
  }
}

TEST(Histograms, HaveAsManyBinsAsTheNoiseAllows) {
  EXPECT_EQ(choose_bins(1000, 0), 64u);
  EXPECT_EQ(choose_bins(1000, 12), 48u);
  EXPECT_EQ(choose_bins(350, 7), 11u);
  EXPECT_EQ(choose_bins(350, 12), 0u);
}

TEST(Histograms, FallBackOnPublicScales) {
  GivenTotals run({}, 1e6);
  std::vector<PublicColumn> columns = smooth_columns;
  columns[1].centre = 0.5;
  columns[1].spread = 2;
  const Scales scales =
      testing::finished(open_scales(run, columns, testing::own_rows(testing::smooth_rows(5, 1)), 100, 1));
  EXPECT_EQ(scales.bins, 0u);
  EXPECT_EQ(scales.columns[1].centre, 0.5);
  EXPECT_EQ(scales.columns[1].spread, 2);
  EXPECT_EQ(scales.target().centre, 10);
  EXPECT_EQ(scales.target().spread, 7.5);
  columns[0].high = columns[0].low;
  EXPECT_THROW(public_scales(columns), InputError);
}

TEST(Histograms, HaveOneBinInEachColumnOfEachKey) {
  testing::RecordingRun run({.agents = 3});
  const Samples rows = testing::smooth_rows(700, 2);
  const Scales scales = testing::finished(open_scales(run, smooth_columns, testing::own_rows(rows), 700, 1));
  EXPECT_EQ(scales.bins, 64u);
  for (const Values& term : run.openings[0].terms) {
    double sum = 0, square = 0;
    for (const double number : term) {
      sum += number;
      square += number * number;
    }
    EXPECT_EQ(sum, 4);
    EXPECT_EQ(square, 4);
  }
  for (std::size_t k = 0; k < 3; ++k) {
    const Vector column = rows.inputs.col(static_cast<Index>(k));
    EXPECT_NEAR(scales.columns[k].centre, column.mean(), 0.01);
    EXPECT_NEAR(scales.columns[k].spread, std::sqrt((column.array() - column.mean()).square().mean()), 0.01);
  }
}

TEST(Copula, HasTheFactorOfKnownAnswers) {
  const auto answer = testing::protect_answer("correlations");
  const Matrix root = correlation_root(answer.numbers.at("products"), 3, answer.numbers.at("noise")[0]);
  EXPECT_LT((root - answer.matrix("root", 3, 3)).cwiseAbs().maxCoeff(), 1e-8);
}

TEST(Copula, DrawsRowsLikeTheData) {
  testing::RecordingRun run({.agents = 3});
  std::mt19937_64 random(4);
  std::normal_distribution<double> normal;
  Samples rows{Matrix(3000, 2), Matrix(3000, 1)};
  for (Index r = 0; r < 3000; ++r) {
    rows.inputs(r, 0) = normal(random);
    rows.inputs(r, 1) = std::exp(0.8 * rows.inputs(r, 0) + 0.6 * normal(random));  // skewed
    rows.outputs(r, 0) = normal(random);
  }
  const OwnRows mine = testing::own_rows(rows);
  const Scales scales = testing::finished(open_scales(run, {{-5, 5}, {0, 12}, {-5, 5}}, mine, 3000, 1));
  const Copula copula = testing::finished(open_copula(run, scales, mine, 3000, 1));
  EXPECT_NEAR(copula.root(1, 0), 0.75, 0.05) << "clipping takes some of 0.8";
  const Matrix drawn = copula.draw(4000, 3);
  EXPECT_EQ(drawn, copula.draw(4000, 3));
  EXPECT_NE(drawn, copula.draw(4000, 4));
  EXPECT_NEAR(drawn.row(0).mean(), 0, 0.06);
  EXPECT_NEAR(drawn.row(1).squaredNorm() / 4000, 1, 0.25);
  // Terms of correlations are within their bound.
  const double bound = std::pow(score_clip(2), 4);
  for (const Values& term : run.openings[1].terms) {
    double square = 0;
    for (const double number : term) square += number * number;
    EXPECT_LE(square, bound * (1 + 1e-12));
  }
}

// Levels of a category and constant columns are atoms at the end of their range.
TEST(Copula, GivesAtomsTheScoreOfTheMiddleOfTheirKeys) {
  testing::RecordingRun run({.agents = 3});
  std::mt19937_64 random(5);
  std::normal_distribution<double> normal;
  Samples rows{Matrix::Zero(3000, 5), Matrix(3000, 1)};
  for (Index r = 0; r < 3000; ++r) {
    rows.inputs(r, 0) = normal(random);
    rows.inputs(r, 1) = 0.8 * rows.inputs(r, 0) + 0.6 * normal(random);
    if (const Index level = r % 10; level < 2) rows.inputs(r, 2 + level) = 1;  // two of ten levels
    rows.outputs(r, 0) = normal(random);
  }
  const OwnRows mine = testing::own_rows(rows);
  const std::vector<PublicColumn> columns = {{-5, 5}, {-5, 5}, {0, 1}, {0, 1}, {0, 1}, {-5, 5}};
  const Scales scales = testing::finished(open_scales(run, columns, mine, 3000, 1));
  EXPECT_NEAR(scales.columns[2].share(0), 0.45, 1e-9);
  EXPECT_NEAR(scales.columns[2].share(1), 0.95, 1e-9);
  EXPECT_NEAR(scales.columns[4].share(0), 0.5, 1e-9) << "a constant column";
  const Copula copula = testing::finished(open_copula(run, scales, mine, 3000, 1));
  const Matrix correlation = copula.root * copula.root.transpose();
  EXPECT_NEAR(correlation(0, 1), 0.8, 0.05);
  EXPECT_NEAR(correlation(2, 3), -0.11, 0.05);
}

TEST(NormalScore, IsTheInverseOfTheShare) {
  for (const double z : {-6.0, -3.2, -0.7, 0.0, 0.1, 2.5, 5.0})
    EXPECT_NEAR(normal_score(normal_share(z)), z, 1e-7);
  EXPECT_NEAR(normal_score(0.975), 1.959963984540054, 1e-12);
}

}  // namespace
}  // namespace tacit
