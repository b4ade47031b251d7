#include "tacit/consortium/programme.hpp"

#include <gtest/gtest.h>

#include "tacit/base/error.hpp"
#include "tacit/consortium/consortium_testing.hpp"
#include "tacit/consortium/predict/fitted_experts.hpp"
#include "tacit/consortium/standardise/least_scale.hpp"
#include "tacit/graph/generators.hpp"
#include "tacit/lab/simulator/simulator.hpp"
#include "tacit/lab/study/data_terms.hpp"

namespace tacit {
namespace {

class Programme : public testing::RingOfAgents {
 protected:
  Programme() : RingOfAgents(5, 14) { terms.tuning.search.emplace().limits.most_evaluations = 12; }

  std::vector<Fit> fit_all(Asked asked = {}) {
    Simulator simulator(terms.graph);
    return simulator.run<Fit>(
        [&](tacit::Run& net) { return fit_privately(net, terms, asked, rows[net.self()]); });
  }
};

// A member may make a scale as small as possible and move a shift to the end of the range. Still no row
// within the ranges exceeds the bound, so no agent must leave a fit, which would reveal something about its
// rows.
TEST_F(Programme, NoRowExceedsThePublicBoundWhateverTheScale) {
  Fitted fitted;
  Standardisation& s = fitted.standardisation.emplace();
  s.rows = 3;
  s.inputs = {Vector::Zero(2), Vector::Ones(2)};
  s.outputs = {Vector(2), Vector(2)};
  for (Index k = 0; k < 2; ++k) {
    const Column& column = terms.targets[static_cast<std::size_t>(k)];
    s.outputs.shift(k) = k == 0 ? column.low : column.high;
    s.outputs.scale(k) = least_scale({column.low, column.high});
  }
  fitted.priors.assign(2, terms.model.start);
  const double bound = public_facts(terms, fitted).output_max;
  for (const Samples& one : rows) EXPECT_LE(s.outputs.standard(one.outputs).cwiseAbs().maxCoeff(), bound);
  EXPECT_NEAR(bound, 32, 1e-6);
  EXPECT_EQ(tune_facts(terms, fitted.standardisation).output_max, bound);
  EXPECT_LT(standard_output_max(column_facts(terms), s.rows), 2) << "the value if scales were true";
}

TEST_F(Programme, AnyAskerGivesAllTheSameModelToTheBit) {
  const std::vector<Fit> by_0 = fit_all({.originator = 0}), by_3 = fit_all({.originator = 3});
  for (const Fit& one : by_0) {
    EXPECT_EQ(one.fitted.priors, by_0[0].fitted.priors);
    EXPECT_EQ(one.fitted.likelihood, by_0[0].fitted.likelihood);
    EXPECT_EQ(one.fitted.standardisation->outputs.scale, by_0[0].fitted.standardisation->outputs.scale);
    EXPECT_NO_THROW(check_plausible(one.fitted, terms));
  }
  EXPECT_EQ(by_3[1].fitted.priors, by_0[0].fitted.priors);
  EXPECT_GT(by_0[0].search->best.likelihood, by_0[0].search->trials[0].likelihood);
}

TEST_F(Programme, AgentsThatShareTheirSumsFindTheSame) {
  terms.graph = complete_graph(5);
  for (const SumProtocol protocol : {SumProtocol::exact, SumProtocol::consensus}) {
    SCOPED_TRACE(to_string(protocol));
    terms.protocol.sums = protocol;
    const auto sums = make_sums(terms, {}), for_predictions = make_prediction_sums(terms, {});
    const Fit own = fit_all()[2], shared = Simulator(terms.graph).run<Fit>([&](tacit::Run&net) {
      return fit_privately(net, *sums, terms, 0, crew_of(rows[net.self()]));
    })[2];
    EXPECT_EQ(shared.fitted.priors, own.fitted.priors);
    EXPECT_EQ(shared.fitted.likelihood, own.fitted.likelihood);
    std::vector<LocalEvidence> evidence;
    for (const Samples& mine : rows)
      evidence.push_back(FittedExperts(terms, own.fitted, mine).evidence(points));
    const auto predicted = [&](auto&& each) { return Simulator(terms.graph).run<Prediction>(each)[1].mean; };
    EXPECT_EQ(predicted([&](tacit::Run& net) {
                return predict(net, *for_predictions, terms, own.fitted, evidence[net.self()]);
              }),
              predicted([&](tacit::Run& net) {
                return predict(net, terms, {}, own.fitted, evidence[net.self()]);
              }));
  }
}

TEST_F(Programme, KeptExpertsSayWhatFreshOnesSay) {
  terms.model.committee.expert_rows = 5;
  terms.model.fusion = Fusion::rbcm;
  const Fitted fitted = fit_all()[0].fitted;
  const FittedExperts fresh(terms, fitted, rows[2]);
  const FittedExperts kept(terms, fitted, rows[2], 2, std::size_t{1} << 20);
  const FittedExperts too_large(terms, fitted, rows[2], 2, 16);  // keeps nothing
  for (const FittedExperts* experts : {&kept, &too_large})
    for (int again = 0; again < 2; ++again) {
      const LocalEvidence found = experts->evidence(points), expected = fresh.evidence(points);
      EXPECT_EQ(found.by_rule[0].weighted_mean, expected.by_rule[0].weighted_mean);
      EXPECT_EQ(found.by_rule[0].precision, expected.by_rule[0].precision);
      EXPECT_EQ(found.prior, expected.prior);
    }
}

TEST_F(Programme, RefusesTermsThatDoNotGoTogether) {
  EXPECT_NO_THROW(check(terms));
  EXPECT_NO_THROW(check_numbers(terms));
  Terms bad = terms;
  bad.model.start.kernel = linear();
  EXPECT_THROW(check(bad), InputError);
  bad = terms;
  bad.protocol.unit = -1;
  EXPECT_THROW(check(bad), InputError);
  bad = terms;
  bad.protocol.sums = SumProtocol::consensus;
  bad.limits.rows = std::size_t{1} << 50;  // such sums do not fit into any ring
  EXPECT_THROW(check_numbers(bad), InputError);
}

TEST_F(Programme, RefusesAModelThatNoFitGives) {
  Fitted fitted = fit_all()[0].fitted;
  fitted.priors[1].noise = 1e-6;
  EXPECT_THROW(check_plausible(fitted, terms), InputError);
  fitted = fit_all()[0].fitted;
  fitted.standardisation->inputs.scale(0) = 1e6;
  EXPECT_THROW(check_plausible(fitted, terms), InputError);
}

}  // namespace
}  // namespace tacit
