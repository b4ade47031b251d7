// Fits, predictions and scores through landmarks.
#include <gtest/gtest.h>

#include "tacit/base/error.hpp"
#include "tacit/consortium/consortium_testing.hpp"
#include "tacit/consortium/pool/draw_landmarks.hpp"
#include "tacit/consortium/pool/place_landmarks.hpp"
#include "tacit/consortium/predict/fitted_experts.hpp"
#include "tacit/consortium/programme.hpp"
#include "tacit/graph/generators.hpp"
#include "tacit/lab/simulator/simulator.hpp"
#include "tacit/lab/study/data_terms.hpp"

namespace tacit {
namespace {

class PooledModel : public ::testing::Test {
 protected:
  PooledModel() {
    std::mt19937_64 random(11);
    for (Index i = 0; i < 4; ++i) rows.push_back(testing::random_samples(24 + i, 2, 2, random));
    points = testing::random_samples(9, 2, 2, random).inputs;
    terms.graph = complete_graph(4);
    terms.inputs = input_columns(rows, points);
    terms.targets = target_columns(rows);
    terms.model.start = {se(1., 1.), 0.3};
    terms.model.fusion = Fusion::rbcm;
    terms.model.standardise = true;
    terms.model.landmarks.count.reset();
    terms.limits.rows = most_rows(rows);
  }

  std::vector<Fit> fit_all() {
    check(terms);
    check_numbers(terms);
    Simulator simulator(terms.graph);
    return simulator.run<Fit>(
        [&](tacit::Run& net) { return fit_privately(net, terms, {}, rows[net.self()]); });
  }
  std::vector<Prediction> together(const Fitted& fitted) {
    std::vector<LocalEvidence> found;
    for (const Samples& own : rows) found.push_back(FittedExperts(terms, fitted, own).evidence(points));
    Simulator simulator(terms.graph);
    return simulator.run<Prediction>(
        [&](tacit::Run& net) { return predict(net, terms, {}, fitted, found[net.self()]); });
  }
  Samples pool() const {
    Samples all{Matrix(0, 2), Matrix(0, 2)};
    for (const Samples& own : rows) {
      all.inputs.conservativeResize(all.inputs.rows() + own.inputs.rows(), 2);
      all.outputs.conservativeResize(all.inputs.rows(), 2);
      all.inputs.bottomRows(own.inputs.rows()) = own.inputs;
      all.outputs.bottomRows(own.inputs.rows()) = own.outputs;
    }
    return all;
  }
  std::string refusal() {
    try {
      fit_all();
    } catch (const InputError& e) {
      return e.what();
    }
    return "none";
  }

  std::vector<Samples> rows;
  Matrix points;
  Terms terms;
};

TEST_F(PooledModel, AllHoldTheSameAndAsManyLandmarksAsTheCeilingAllows) {
  const std::vector<Fit> fits = fit_all();
  const Pooled& first = *fits[0].fitted.pooled;
  EXPECT_EQ(first.rows, 102u);
  EXPECT_EQ(static_cast<std::size_t>(first.landmarks.rows()), landmark_ceiling(102, 2, 2));
  EXPECT_EQ(fits[0].opened,
            5u + 4u + 1u + landmark_numbers(static_cast<std::size_t>(first.landmarks.rows()), 2));
  for (const Fit& one : fits) {
    EXPECT_EQ(one.fitted.pooled->landmarks, first.landmarks);
    ASSERT_EQ(one.fitted.pooled->totals.size(), 1u);  // both targets share a prior
    EXPECT_EQ(one.fitted.pooled->totals[0].precision, first.totals[0].precision);
    EXPECT_EQ(one.fitted.pooled->totals[0].weighted, first.totals[0].weighted);
    EXPECT_NO_THROW(check_plausible(one.fitted, terms));
  }
  const Fit again = fit_all()[2];
  EXPECT_EQ(again.fitted.pooled->totals[0].precision, first.totals[0].precision);
}

TEST_F(PooledModel, TargetsWithPriorsOfTheirOwnHaveTotalsOfTheirOwn) {
  terms.tuning.search.emplace().limits.most_evaluations = 4;
  const Fitted fitted = fit_all()[0].fitted;
  ASSERT_NE(fitted.priors[0], fitted.priors[1]);
  ASSERT_EQ(fitted.pooled->totals.size(), 2u);
  EXPECT_EQ(static_cast<std::size_t>(fitted.pooled->landmarks.rows()), landmark_ceiling(102, 2, 2, 2));
  EXPECT_NO_THROW(check_plausible(fitted, terms));
  for (const Prediction& one : together(fitted)) EXPECT_EQ(unconverged(one), 0u);
}

TEST_F(PooledModel, WithoutLandmarksItIsTheModelOfExpertsAlone) {
  terms.model.landmarks.count = 0;
  const Fitted fitted = fit_all()[0].fitted;
  EXPECT_FALSE(fitted.pooled);
  const LocalEvidence found = FittedExperts(terms, fitted, rows[1]).evidence(points);
  const Fusion rule = Fusion::rbcm;
  const Samples own = fitted.standard(rows[1]);
  const LocalEvidence plain =
      LocalExperts(own, terms.model.committee)
          .evidence(fitted.standard_points(points), fitted.priors, std::span(&rule, 1));
  EXPECT_EQ(found.by_rule[0].weighted_mean, plain.by_rule[0].weighted_mean);
  EXPECT_EQ(found.by_rule[0].precision, plain.by_rule[0].precision);
  EXPECT_EQ(found.pooled.mean.size(), 0);
}

TEST_F(PooledModel, EveryRowALandmarkIsThePooledModelAtHomeAndTogether) {
  const Samples all = pool();
  terms.model.landmarks.listed = all.inputs;
  terms.model.landmarks.count = static_cast<std::size_t>(all.inputs.rows());
  terms.model.landmarks.above_ceiling = true;
  const Fitted fitted = fit_all()[0].fitted;
  const Samples standard = fitted.standard(all);
  const Prediction exact =
      Expert::of(standard.inputs, standard.outputs, fitted.priors[0]).predict(fitted.standard_points(points));
  const Matrix mean = fitted.standardisation->outputs.original(exact.mean);
  const Vector scale = fitted.standardisation->outputs.scale;
  const Vector deviation = exact.latent_variance.col(0).cwiseSqrt();
  std::vector<Prediction> found = together(fitted);
  for (const Samples& own : rows) found.push_back(FittedExperts(terms, fitted, own).at_home(points));
  for (const Prediction& one : found)
    for (Index k = 0; k < 2; ++k) {
      const Vector off = (one.mean - mean).col(k).cwiseQuotient(deviation) / scale(k);
      EXPECT_LT(off.cwiseAbs().maxCoeff(), 0.01);  // the bound for the sum's unit
      EXPECT_NEAR((one.latent_variance.col(k).cwiseSqrt() / scale(k)).cwiseQuotient(deviation).maxCoeff(), 1,
                  0.01);
    }
}

TEST_F(PooledModel, TogetherIsWhatFusingInTheOpenGives) {
  for (const Fusion rule : all_fusions) {
    terms.model.fusion = rule;
    const Fitted fitted = fit_all()[0].fitted;
    Evidence sum(points.rows(), 2);
    LocalEvidence last;
    for (const Samples& own : rows) {
      last = FittedExperts(terms, fitted, own).evidence(points);
      sum += last.by_rule[0];
    }
    const Prediction open = fitted.original(with_pooled(fuse(rule, sum, last.prior), last));
    for (const Prediction& one : together(fitted)) {
      EXPECT_LT((one.mean - open.mean).cwiseAbs().maxCoeff(), 1e-6) << to_string(rule);
      EXPECT_LT((one.latent_variance - open.latent_variance).cwiseAbs().maxCoeff(), 1e-6) << to_string(rule);
    }
  }
}

TEST_F(PooledModel, HeldOutRowsAreScoredAtHome) {
  const Fitted fitted = fit_all()[0].fitted;
  std::mt19937_64 random(4);
  std::vector<Samples> held;
  std::vector<Prediction> found;
  double squares = 0;
  for (const Samples& own : rows) {
    held.push_back(testing::random_samples(6, 2, 2, random));
    for (std::size_t c = 0; c < 2; ++c) {  // within the public ranges
      const auto k = static_cast<Index>(c);
      held.back().inputs.col(k) =
          held.back().inputs.col(k).cwiseMax(terms.inputs[c].low).cwiseMin(terms.inputs[c].high);
      held.back().outputs.col(k) =
          held.back().outputs.col(k).cwiseMax(terms.targets[c].low).cwiseMin(terms.targets[c].high);
    }
    found.push_back(FittedExperts(terms, fitted, own).at_home(held.back().inputs));
    squares += (found.back().mean - held.back().outputs).squaredNorm();
  }
  Simulator simulator(terms.graph);
  const auto scores = simulator.run<ConsortiumScore>([&](tacit::Run& net) {
    return evaluate(net, terms, {}, fitted, found[net.self()], held[net.self()].outputs);
  });
  EXPECT_EQ(scores[3].rows, 24u);
  EXPECT_NEAR(scores[3].rmse, std::sqrt(squares / 48), 1e-6);
}

TEST_F(PooledModel, WhatCannotBeIsRefusedInOneSentence) {
  const Terms good = terms;
  terms.model.landmarks.count = 103;
  EXPECT_NE(refusal().find("more than the 102 rows"), std::string::npos) << refusal();
  terms.model.landmarks.count = 40;
  EXPECT_NE(refusal().find("more than a quarter"), std::string::npos) << refusal();
  terms.model.landmarks.above_ceiling = true;
  EXPECT_EQ(refusal(), "none");
  terms = good;
  terms.model.landmarks.listed = Matrix{{0.1, 0.2}, {0.5, 0.5}, {0.1, 0.2}};
  terms.model.landmarks.count = 3;
  EXPECT_NE(refusal().find("landmarks 1 and 3 are the same point"), std::string::npos) << refusal();
  terms.model.landmarks.listed = Matrix{{0.1, 0.2, 0.3}};
  terms.model.landmarks.count = 1;
  EXPECT_NE(refusal().find("3 columns, but the model takes 2 inputs"), std::string::npos) << refusal();
  terms = good;
  terms.model.start.kernel = linear();
  EXPECT_NE(refusal().find("can have k(x,x) = 0"), std::string::npos) << refusal();
  terms = good;
  terms.protocol.sums = SumProtocol::consensus;
  EXPECT_NE(refusal().find("the consensus does not provide"), std::string::npos) << refusal();
}

TEST_F(PooledModel, TotalsThatNoRowsGiveAreRefused) {
  const Fitted fitted = fit_all()[0].fitted;
  const Pooled& good = *fitted.pooled;
  std::vector<PooledTotals> totals = good.totals;
  totals[0].precision(0, 0) = -1e6;  // a member sent a false value
  EXPECT_THROW(Pooled(good.rows, good.landmarks, totals, fitted.priors), InputError);
  totals = good.totals;
  totals[0].weighted *= 1e6;
  Fitted bad = fitted;
  bad.pooled = std::make_shared<const Pooled>(good.rows, good.landmarks, totals, fitted.priors);
  EXPECT_THROW(check_plausible(bad, terms), InputError);
  bad.pooled = std::make_shared<const Pooled>(good.rows + 1, good.landmarks, good.totals, fitted.priors);
  EXPECT_THROW(check_plausible(bad, terms), InputError);
}

}  // namespace
}  // namespace tacit
