#include "tacit/lab/study/protected_study.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <numeric>
#include <random>

#include "tacit/base/base_testing.hpp"
#include "tacit/lab/study/study.hpp"
#include "tacit/secrecy/privacy_loss.hpp"

namespace tacit {
namespace {

using testing::error_of;

Parties wavy_parties(std::size_t agents, Index rows) {
  std::mt19937_64 random(1);
  std::uniform_real_distribution<double> u(-2, 2);
  const auto samples = [&](Index n) {
    Samples s{Matrix(n, 2), Matrix(n, 1)};
    for (double& v : s.inputs.reshaped()) v = u(random);
    for (Index r = 0; r < n; ++r) s.outputs(r, 0) = 10 + std::sin(s.inputs(r, 0)) + 0.1 * u(random);
    return s;
  };
  Parties parties;
  parties.columns.inputs = {"a", "b"};
  parties.columns.targets = {"y"};
  for (std::size_t i = 0; i < agents; ++i) {
    parties.names.push_back(std::to_string(i));
    parties.agents.push_back(samples(rows));
  }
  parties.test = {samples(50)};
  parties.measure_targets();
  return parties;
}

StudyOptions protected_options(double rho) {
  StudyOptions options;
  options.model.standardise = true;
  options.protect = ProtectOptions{.rho = rho};
  return options;
}

TEST(ProtectedStudy, ReportsTheChargeAndTheAnswersOfEveryAgent) {
  const StudyReport report = run_study(wavy_parties(5, 25), protected_options(4));
  ASSERT_TRUE(report.protect);
  const ProtectedReport& rows = *report.protect;
  EXPECT_EQ(rows.colluding, 1u);
  EXPECT_LE(rows.charges.size(), 35u);
  double rho = 0;
  for (const Charge& one : rows.charges) rho += one.rho;
  EXPECT_DOUBLE_EQ(rows.rho, rho);
  EXPECT_LE(rows.rho, 4);
  EXPECT_GT(rows.rho, 3.9);
  EXPECT_LE(delta_of(rows.rho, rows.epsilon), rows.delta * (1 + 1e-6));
  EXPECT_LE(rows.delta * 10 * 125, 1);
  EXPECT_EQ(rows.at_home.size(), 5u);
  EXPECT_EQ(rows.accuracy.size(), 5u);
  EXPECT_LT(rows.mean_at_home().rmse, 0.5);  // the target's deviation is 0.8
}

TEST(ProtectedStudy, TakesCategoricalColumns) {
  Parties parties = wavy_parties(5, 30);
  parties.columns.inputs = {"a"};
  for (const std::string& name : DataColumn{"b", {"x", "y"}}.names()) parties.columns.inputs.push_back(name);
  parties.columns.categorical = {{"b", {"x", "y"}}};
  const auto with_levels = [](Samples& rows) {
    Matrix inputs(rows.inputs.rows(), 3);
    inputs.col(0) = rows.inputs.col(0);
    inputs.col(1) = (rows.inputs.col(1).array() > 0).cast<double>().matrix();
    inputs.col(2) = (1 - inputs.col(1).array()).matrix();
    rows.inputs = inputs;
  };
  for (Samples& rows : parties.agents) with_levels(rows);
  with_levels(parties.test);
  EXPECT_LT(run_study(parties, protected_options(4)).protect->mean_at_home().rmse, 0.6);
}

TEST(ProtectedStudy, ChangesNothingElse) {
  StudyOptions plain = protected_options(4);
  plain.protect.reset();
  const Parties parties = wavy_parties(5, 20);
  const StudyReport with = run_study(parties, protected_options(4)), without = run_study(parties, plain);
  EXPECT_FALSE(without.protect);
  EXPECT_EQ(with.predictions.together[0].mean, without.predictions.together[0].mean);
  EXPECT_EQ(with.network.cost.bytes, without.network.cost.bytes);
}

TEST(ProtectedStudy, IsTheSameOnAnyNumberOfThreads) {
  const Parties parties = wavy_parties(5, 20);
  StudyOptions one = protected_options(1), two = protected_options(1);
  one.threads = 1;
  two.threads = 2;
  EXPECT_EQ(run_study(parties, one).protect->at_home[2].mean,
            run_study(parties, two).protect->at_home[2].mean);
}

TEST(ProtectedStudy, RefusesWhatItCannotProtect) {
  EXPECT_NE(error_of([] { run_study(wavy_parties(2, 20), protected_options(4)); }).find("at least 3 agents"),
            std::string::npos);
  EXPECT_NE(error_of([] { run_study(wavy_parties(5, 20), protected_options(0)); }).find("`rho`"),
            std::string::npos);
  StudyOptions options = protected_options(4);
  options.protect->colluding = 4;
  EXPECT_NE(error_of([&] { run_study(wavy_parties(5, 20), options); }).find("1 to 3"), std::string::npos);
}

}  // namespace
}  // namespace tacit
