#include "tacit/lab/study/consortium_model.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "tacit/base/stop.hpp"
#include "tacit/gp/fit/fit.hpp"
#include "tacit/lab/study/study.hpp"

namespace tacit {
namespace {

// y0 = 50 + 8 sin(x/10), y1 = 3 - x/20, with noise of 0.5 and 0.05.
Samples draw(Index rows, unsigned seed, bool noisy = true) {
  std::mt19937_64 random(seed);
  std::uniform_real_distribution<double> at(-40, 40);
  std::normal_distribution<double> noise;
  Samples s{Matrix(rows, 1), Matrix(rows, 2)};
  for (Index r = 0; r < rows; ++r) {
    s.inputs(r, 0) = at(random);
    s.outputs(r, 0) = 50 + 8 * std::sin(s.inputs(r, 0) / 10) + (noisy ? 0.5 * noise(random) : 0);
    s.outputs(r, 1) = 3 - s.inputs(r, 0) / 20 + (noisy ? 0.05 * noise(random) : 0);
  }
  return s;
}

double rms(const Matrix& m) { return std::sqrt(m.squaredNorm() / static_cast<double>(m.size())); }

TEST(ConsortiumModel, InTwoLinesBeatsAPartyAloneAndReportsTheSearch) {
  const std::vector<Samples> parties{draw(25, 1), draw(20, 2), draw(30, 3), draw(15, 4)};
  const Samples test = draw(60, 9, false);
  for (bool shared : {true, false}) {
    ConsortiumFitOptions options;
    options.shared = shared;
    const ConsortiumModel model = fit_consortium(parties, se() + constant(), options);
    const Prediction p = model.predict(test.inputs);
    const double together = rms(p.mean.col(0) - test.outputs.col(0));
    const double alone =
        rms(fit(parties[3].inputs, parties[3].outputs.col(0), se()).predict(test.inputs).mean -
            test.outputs.col(0));
    EXPECT_LT(together, 0.5);
    EXPECT_LT(together, alone);
    EXPECT_LT(rms(p.mean.col(1) - test.outputs.col(1)), 0.1);
    EXPECT_TRUE((p.observed_variance.array() > p.latent_variance.array()).all());
    EXPECT_TRUE(model.report().converged) << model.report().reason;
    EXPECT_EQ(model.report().trace.size(), model.report().evaluations);
    EXPECT_EQ(model.report().experts, 4u);
    EXPECT_EQ(model.priors()[0] == model.priors()[1], shared);
    EXPECT_EQ(model.standardisation()->rows, 90u);
  }
}

TEST(ConsortiumModel, IsTheSameOnAnyNumberOfThreads) {
  const std::vector<Samples> parties{draw(25, 1), draw(20, 2), draw(30, 3)};
  ConsortiumFitOptions options;
  options.restarts = 1;
  options.committee.expert_rows = 10;
  options.threads = 1;
  const ConsortiumModel one = fit_consortium(parties, matern32(), options);
  options.threads = 3;
  const ConsortiumModel three = fit_consortium(parties, matern32(), options);
  EXPECT_EQ(one.priors(), three.priors());
  EXPECT_EQ(one.report().experts, 8u);
  EXPECT_TRUE(one.predict(parties[0].inputs).mean == three.predict(parties[0].inputs).mean);
}

TEST(ConsortiumModel, RefusesPartiesThatDoNotFitTogether) {
  EXPECT_THROW(fit_consortium({draw(5, 1)}, se()), InputError);
  Samples other{Matrix::Zero(3, 2), Matrix::Zero(3, 2)};
  EXPECT_THROW(fit_consortium({draw(5, 1), other}, se()), InputError);
  const ConsortiumModel model = fit_consortium({draw(5, 1), draw(5, 2)}, se());
  EXPECT_THROW(model.predict(Matrix::Zero(1, 2)), InputError);
  EXPECT_THROW(fit_consortium({draw(5, 1), draw(5, 2)}, linear()).predict(Matrix::Zero(1, 1)), InputError);
}

Parties three_parties() {
  Parties parties;
  parties.columns.inputs = {"x"};
  parties.columns.targets = {"y0", "y1"};
  for (unsigned seed : {1, 2, 3}) {
    parties.names.push_back(std::to_string(seed));
    parties.agents.push_back(draw(20, seed));
  }
  parties.test = {draw(15, 9)};
  parties.test.inputs(0, 0) = 55;  // outside the range of all training rows
  parties.measure_targets();
  return parties;
}

StudyOptions tuned() {
  StudyOptions options;
  options.topology = parse_topology("complete");
  options.model.start = {se(), 0.5};
  options.model.fusion = Fusion::rbcm;
  options.model.standardise = true;
  options.model.landmarks.count.reset();
  options.model.landmarks.above_ceiling = true;
  options.tuning.search.emplace();
  return options;
}

TEST(ConsortiumModel, IsWhatAStudyFitsToTheBit) {
  const Parties parties = three_parties();
  const StudyReport study = run_study(parties, tuned());
  Parties without_test = parties;
  without_test.test = {};
  const ConsortiumModel model = fit_consortium(without_test, tuned());
  EXPECT_EQ(model.priors(), study.model.priors[0]);
  const Prediction p = model.predict(parties.test.inputs);
  EXPECT_TRUE(p.mean == study.predictions.together[0].mean);
  EXPECT_TRUE(p.latent_variance == study.predictions.together[0].latent_variance);
  EXPECT_TRUE(model.predict_at_home(1, parties.test.inputs).mean == study.predictions.at_home[1].mean);
  StudyOptions other = tuned();
  other.protocol.sums = SumProtocol::consensus;
  EXPECT_THROW(fit_consortium(parties, other), InputError);
}

TEST(ConsortiumModel, ComesBackFromAFileToTheBit) {
  const Parties parties = three_parties();
  const ConsortiumModel model = fit_consortium(parties, tuned());
  const std::string file = model.to_file();
  const ConsortiumModel back = ConsortiumModel::from_file(file);
  EXPECT_EQ(back.priors(), model.priors());
  EXPECT_EQ(back.report().trace, model.report().trace);
  EXPECT_EQ(back.report().landmarks, model.report().landmarks);
  EXPECT_EQ(back.report().opened, model.report().opened);
  const Matrix& points = parties.test.inputs;
  EXPECT_TRUE(back.predict(points).mean == model.predict(points).mean);
  EXPECT_TRUE(back.predict(points).observed_variance == model.predict(points).observed_variance);
  EXPECT_TRUE(back.predict_at_home(2, points).mean == model.predict_at_home(2, points).mean);
  EXPECT_EQ(back.to_file(), file);
  for (std::size_t at = 0; at < file.size(); at += 97) {
    std::string damaged = file;
    damaged[at] ^= 1;
    EXPECT_THROW(ConsortiumModel::from_file(damaged), InputError) << at;
  }
}

TEST(ConsortiumModel, AFitCanBeStopped) {
  std::atomic<bool> stop = true;
  const StoppableWork here(stop);
  EXPECT_THROW(fit_consortium(three_parties(), tuned()), Error);
}

}  // namespace
}  // namespace tacit
