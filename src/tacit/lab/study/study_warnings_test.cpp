#include "tacit/lab/study/study_warnings.hpp"

#include <gtest/gtest.h>

#include <algorithm>

namespace tacit {
namespace {

using Words = std::vector<std::string>;

// Whether one of the warnings starts with the first of these texts and contains the others.
bool among(const Words& warnings, const Words& parts) {
  return std::ranges::any_of(warnings, [&](const std::string& one) {
    return one.starts_with(parts[0]) &&
           std::ranges::all_of(parts, [&](const std::string& part) { return one.find(part) != one.npos; });
  });
}

// Two agents with ten rows each of inputs a, b, c, d, e and target y, without reason for a warning.
Parties quiet_parties() {
  Parties parties;
  parties.columns.inputs = {"a", "b", "c", "d", "e"};
  parties.columns.targets = {"y"};
  parties.names = {"north", "south"};
  for (int i = 0; i < 2; ++i) {
    Samples samples{Matrix(10, 5), Matrix(10, 1)};
    for (Index r = 0; r < 10; ++r) {
      for (Index c = 0; c < 5; ++c) samples.inputs(r, c) = static_cast<double>((r * 3 + c + i) % 7);
      samples.outputs(r, 0) = static_cast<double>(r % 4);
    }
    parties.agents.push_back(samples);
  }
  parties.test = {parties.agents[0]};
  parties.measure_targets();
  return parties;
}

// A report in which tuning found this prior.
StudyReport found(const Prior& prior) {
  StudyReport report;
  report.model.priors = {{prior}, {prior}};
  return report;
}

TEST(StudyWarnings, QuietDataAndModelsGiveNone) {
  StudyOptions options;
  options.tuning.search.emplace();
  EXPECT_EQ(study_warnings(quiet_parties(), options, found({se(2., 1), 0.3})), Words());
}

TEST(StudyWarnings, AConstantTargetIsNamed) {
  Parties parties = quiet_parties();
  for (Samples& agent : parties.agents) agent.outputs.setConstant(4);
  parties.measure_targets();
  EXPECT_EQ(study_warnings(parties, {}, found({})),
            Words{"target y is 4 in all 20 rows, so there is nothing to learn about it"});
}

TEST(StudyWarnings, ARareLevelIsNoOutlier) {
  Parties parties = quiet_parties();
  for (Samples& agent : parties.agents) agent.inputs.col(2).setZero();
  parties.agents[0].inputs(3, 2) = 1;
  EXPECT_EQ(study_warnings(parties, {}, found({})), Words());
  parties.agents[0].inputs(3, 1) = -500;
  const Words warnings = study_warnings(parties, {}, found({}));
  ASSERT_EQ(warnings.size(), 1u);
  EXPECT_TRUE(among(warnings, {"input b: 1 of 20 cells is", "-500 (north)"})) << warnings[0];
}

TEST(StudyWarnings, ARareValueOfATargetWithTwoValuesIsNoOutlier) {
  Parties parties = quiet_parties();
  for (Samples& agent : parties.agents) agent.outputs.setZero();
  parties.agents[0].outputs(3, 0) = 1;
  parties.measure_targets();
  EXPECT_EQ(study_warnings(parties, {}, found({})), Words());
  parties = quiet_parties();
  parties.agents[1].outputs(4, 0) = 9999;
  parties.measure_targets();
  const Words warnings = study_warnings(parties, {}, found({}));
  ASSERT_EQ(warnings.size(), 1u);
  EXPECT_TRUE(among(warnings, {"target y: 1 of 20 cells is", "9999 (south)"})) << warnings[0];
}

TEST(StudyWarnings, ManyColumnsAreSummedUp) {
  Parties parties = quiet_parties();
  for (Index c = 0; c < 5; ++c) parties.agents[1].inputs(4, c) = 9999;
  const Words warnings = study_warnings(parties, {}, found({}));
  ASSERT_EQ(warnings.size(), 4u);
  EXPECT_EQ(warnings[3], "2 more columns have such cells: d, e");
}

TEST(StudyWarnings, NumbersAtABoundAreNamedByColumn) {
  StudyOptions options;
  options.tuning.search = ExactTuneOptions{.noise_low = 0.05, .lengthscale_low = 0.5, .limits = {}};
  const Prior prior{se({0.5, 2, 100, 100, 3}, 100), 0.05};
  const Words warnings = study_warnings(quiet_parties(), options, found(prior));
  EXPECT_EQ(warnings.size(), 4u);
  EXPECT_TRUE(among(warnings, {"tuning left lengthscale of a at the floor 0.5", "`lengthscale_floor=0.1`"}));
  EXPECT_TRUE(among(warnings, {"tuning left lengthscale of c, lengthscale of d at the upper limit 100"}));
  EXPECT_TRUE(among(warnings, {"tuning left signal at the upper limit 100", "`tune_box=0.01,1000`"}));
  EXPECT_TRUE(among(warnings, {"tuning left noise at the floor 0.05", "`noise_floor=0.01`"}));
  options.tuning.search.reset();
  EXPECT_EQ(study_warnings(quiet_parties(), options, found(prior)), Words()) << "nothing was tuned";
}

TEST(StudyWarnings, ThePapersTuningLeavesTheNoiseAlone) {
  StudyOptions options;
  options.paper_tuning.emplace();
  const Words warnings = study_warnings(quiet_parties(), options, found({se(0.01, 1), 0.01}));
  ASSERT_EQ(warnings.size(), 1u);
  EXPECT_TRUE(among(warnings, {"tuning left lengthscale at the lower limit 0.01", "`tune_box=0.001,100`"}));
}

TEST(StudyWarnings, MoreLandmarksThanACharterAllowsByItself) {
  StudyReport report = found({se(2., 1), 0.3});
  report.model.landmarks = {
      .landmarks = 5, .ceiling = 5, .opened = 20, .opened_all = 30, .held = 120, .plan = {}};
  EXPECT_EQ(study_warnings(quiet_parties(), {}, report), Words());
  report.model.landmarks->landmarks = 6;
  EXPECT_TRUE(among(study_warnings(quiet_parties(), {}, report),
                    {"6 landmarks open 20 numbers", "120", "more than 5 need"}));
}

TEST(StudyWarnings, PartiesThatDoBetterAlone) {
  const auto with = [](double alone, double home, double together) {
    StudyReport report = found({});
    Accuracy one;
    one.local = {{alone, 0, 0}, {9, 0, 0}};
    one.at_home = {{home, 0, 0}, {5, 0, 0}};
    one.private_model = {together, 0, 0};
    report.accuracy = one;
    report.accuracy->by_target = {one};
    return study_warnings(quiet_parties(), {}, report);
  };
  EXPECT_EQ(with(6, 5, 5), Words());
  EXPECT_EQ(with(6, 6.1, 5), Words()) << "the errors are almost equal";
  EXPECT_TRUE(among(with(6, 6.5, 5), {"1 of 2 agents has", "north (6 alone, 6.5 at home)"}));
  EXPECT_TRUE(among(with(4, 4, 5), {"1 of 2 agents has", "north (4 alone, 5 together)"}));
}

}  // namespace
}  // namespace tacit
