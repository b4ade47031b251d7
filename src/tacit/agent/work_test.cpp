// What agents do together, under the simulator: the same programs as on a network.
#include <gtest/gtest.h>

#include <cmath>

#include "tacit/agent/agent_data.hpp"
#include "tacit/agent/preflight.hpp"
#include "tacit/agent/requests.pb.h"
#include "tacit/agent/work_testing.h"
#include "tacit/base/files.hpp"
#include "tacit/gp/committee.hpp"
#include "tacit/gp/expert.hpp"
#include "tacit/simulation/simulator.hpp"

namespace tacit {
namespace {

using namespace testing;

class Together : public ::testing::Test, public WorkingConsortium {
 protected:
  requests::Predicted predict(AgentId originator, const Matrix& points) {
    const auto results = run(originator, works[originator]->predict("ask", points));
    for (const std::string& one : results) EXPECT_EQ(one, results[0]);  // exact sums: all get the same bits
    requests::Predicted predicted;
    predicted.ParseFromString(results[originator]);
    return predicted;
  }
};

TEST_F(Together, FitThenPredictThenEvaluate) {
  start();
  EXPECT_TRUE(says(refusal([&] { works[0]->predict("ask", Matrix::Zero(1, 3)); }), "run tacit fit first"));
  run(1, works[1]->fit("ask"));
  for (const auto& work : works) {
    ASSERT_TRUE(work->model());
    EXPECT_EQ(work->model()->version, 1u);
    EXPECT_EQ(work->model()->originator, "agent-b");
    EXPECT_EQ(to_text(*work->model()), to_text(*works[0]->model()));
    EXPECT_EQ(work->model()->standardisation->rows, 80u);
    EXPECT_GT(work->model()->evaluations, 3u);
  }
  const Matrix points{{30, 1, 0}, {60, 0, 1}};
  const auto predicted = predict(2, points);
  ASSERT_EQ(predicted.mean_size(), 2);
  EXPECT_NEAR(predicted.mean(0), 100 + 60 + 20 + 5, 6);
  EXPECT_NEAR(predicted.mean(1), 100 + 120 + 5, 6);
  for (int k = 0; k < 2; ++k) {
    EXPECT_GT(predicted.latent_deviation(k), 0);
    EXPECT_GT(predicted.observed_deviation(k), predicted.latent_deviation(k));
  }
  requests::Evaluated score;
  score.ParseFromString(run(0, works[0]->evaluate("ask"))[0]);
  EXPECT_EQ(score.rows(), 15u);  // agent-d holds out nothing
  EXPECT_LT(score.rmse(), 8);
  EXPECT_GT(score.rmse(), 1);
}

// Against the plain formula, from what each agent has at home: every rule, composed kernels, several experts.
TEST_F(Together, PredictionsAreThePlainFusion) {
  const Matrix points{{25, 1, 0}, {44.5, 0, 1}, {80, 0, 1}};
  for (Fusion rule : all_fusions) {
    SCOPED_TRACE(to_string(rule));
    CharterModel& agreed = paper.charter.model;
    agreed.fusion = rule;
    agreed.kernel = rule == Fusion::poe ? "se" : "matern52-ard + linear + constant";
    agreed.expert_rows = rule == Fusion::poe ? 500 : 9;
    start();
    run(0, works[0]->fit("ask"));
    const FittedModel model = *works[0]->model();
    const auto predicted = predict(3, points);
    std::vector<Matrix> means, variances;
    const Matrix at = model.standardisation->inputs.standard(points);
    for (const auto& work : works) {
      const Samples data = model.standardisation->standard(work->material().data);
      for (const auto& part : split_rows(data.inputs, {.expert_rows = agreed.expert_rows})) {
        const Expert expert =
            Expert::fit(data.inputs(part, Eigen::all), data.outputs(part, Eigen::all), model.priors[0]);
        means.push_back(expert.predict(at).mean);
        variances.push_back(expert.predict(at).latent_variance);
      }
    }
    const Matrix before = model.priors[0].kernel.prior_variance(at);
    const Fused plain = model.standardisation->original(fuse(rule, means, variances, before));
    const double noise = model.priors[0].noise * model.standardisation->outputs.scale(0);
    for (int k = 0; k < 3; ++k) {
      EXPECT_NEAR(predicted.mean(k), plain.mean(k, 0), 1e-4);
      EXPECT_NEAR(predicted.latent_deviation(k), std::sqrt(plain.variance(k, 0)), 1e-5);
      EXPECT_NEAR(predicted.observed_deviation(k), std::sqrt(plain.variance(k, 0) + noise * noise), 1e-5);
    }
    for (const auto& work : works) std::filesystem::remove_all(work->material().state);
  }
}

TEST_F(Together, TheConsensusWorksToo) {
  paper.charter.protocol.sums = SumProtocol::consensus;
  paper.charter.protocol.fewest = 4;
  paper.charter.protocol.collusion = 1;
  paper.charter.tuning.on = false;
  start();
  run(0, works[0]->fit("ask"));
  tacit::Run all{{}, 1, 1, 1, works[1]->predict("ask", Matrix{{30, 1, 0}}), {0, 1, 2, 3}};
  Simulator simulator(paper.charter.graph(),
                      {.threads = 1, .seed = 1, .network = {}, .coalition = {}, .progress = nullptr});
  for (const std::string& result :
       simulator.run<std::string>([&](Channel& net) { return works[net.self()]->program(net, all); })) {
    requests::Predicted predicted;
    predicted.ParseFromString(result);
    EXPECT_NEAR(predicted.mean(0), 185, 20);
  }
}

TEST_F(Together, ARestartKeepsTheModelAndALateComerTakesItOver) {
  start();
  run(1, works[1]->fit("ask"));
  const auto before = predict(2, Matrix{{30, 1, 0}});
  const std::string kept = to_text(*works[0]->model());
  start();
  EXPECT_EQ(to_text(*works[0]->model()), kept);
  EXPECT_EQ(predict(2, Matrix{{30, 1, 0}}).mean(0), before.mean(0));
  // Agent 3 lost its model, or was not there when it was fitted.
  std::filesystem::remove(works[3]->material().state / "model.json");
  start();
  EXPECT_FALSE(works[3]->model());
  EXPECT_EQ(predict(2, Matrix{{30, 1, 0}}).mean(0), before.mean(0));
  EXPECT_EQ(to_text(*works[3]->model()), kept);
}

TEST_F(Together, OldModelsAreRefused) {
  start();
  run(1, works[1]->fit("ask"));
  const Request old = works[2]->predict("ask", Matrix{{30, 1, 0}});
  run(1, works[1]->fit("ask"));
  EXPECT_EQ(works[0]->model()->version, 2u);
  EXPECT_TRUE(says(refusal([&] { run(2, old); }), "holds a newer model (version 2"));
}

TEST_F(Together, ThePolicyIsAskedAndCharged) {
  rules.a_day = {{RequestKind::predict, 3}};
  rules.may = {
      {RequestKind::fit, {"agent-a"}}, {RequestKind::predict, {"*"}}, {RequestKind::evaluate, {"*"}}};
  start();
  EXPECT_TRUE(
      says(refusal([&] { run(1, works[1]->fit("ask")); }), "agent-a does not let agent-b ask for fit"));
  run(0, works[0]->fit("ask"));
  const Matrix two{{30, 1, 0}, {31, 1, 0}};
  run(1, works[1]->predict("ask", two));
  EXPECT_TRUE(says(refusal([&] { run(1, works[1]->predict("ask", two)); }), "of which 1 are left"));
  start();  // counts survive
  EXPECT_TRUE(says(refusal([&] { run(1, works[1]->predict("ask", two)); }), "of which 1 are left"));
  run(1, works[1]->predict("ask", Matrix{{30, 1, 0}}));
  run(2, works[2]->predict("ask", two));
}

TEST_F(Together, TooFewAgentsGetNoAnswer) {
  start();
  run(0, works[0]->fit("ask"));
  EXPECT_TRUE(says(refusal([&] {
                     run(0, works[0]->predict("ask", Matrix{{30, 1, 0}}), 2);
                   }),
                   "only 2 agents take part"));
}

TEST_F(Together, UnsoundRequestsAreRefused) {
  start();
  run(0, works[0]->fit("ask"));
  const auto said = [&](const std::string& kind, const std::string& body) {
    return works[1]->consent({{}, 0, 1, 1, {kind, body}, {}}).reason;
  };
  requests::Predict body;
  body.ParseFromString(works[0]->predict("ask", Matrix{{30, 1, 0}}).body);
  const auto bent = [&](auto&& bend) {
    requests::Predict other = body;
    bend(other);
    return said("predict", other.SerializeAsString());
  };
  EXPECT_EQ(said("predict", body.SerializeAsString()), "");
  EXPECT_NE(said("predict", "\xff\xff garbage"), "");
  EXPECT_TRUE(says(bent([](auto& b) { b.set_points(2); }), "3 inputs each"));
  EXPECT_TRUE(says(bent([](auto& b) { b.set_points(0); }), "0 points"));
  EXPECT_TRUE(says(bent([](auto& b) { b.set_points(UINT64_MAX / 3 + 1); }), "points are asked for"));
  EXPECT_TRUE(says(bent([](auto& b) { b.set_values(1, std::nan("")); }), "finite"));
  EXPECT_TRUE(says(bent([](auto& b) { b.set_model("{}"); }), "not a model"));
  FittedModel model = *works[0]->model();
  const auto asked_with = [&](const FittedModel& other) {
    return bent([&](auto& b) { b.set_model(to_text(other)); });
  };
  model.fit = std::string(32, '0');
  model.fitted_at = "2999-01-01T00:00:00.000Z";
  EXPECT_EQ(asked_with(model), "");
  FittedModel other = model;
  other.priors[0].noise = 1e-6;  // would show single rows
  EXPECT_TRUE(says(asked_with(other), "cannot have come from this charter"));
  other = model;
  other.standardisation->outputs.scale(0) = 0;
  EXPECT_TRUE(says(asked_with(other), "cannot have come from this charter"));
  other = model;
  other.charter = std::string(64, '0');
  EXPECT_TRUE(says(asked_with(other), "another charter"));
  EXPECT_TRUE(says(said("steal", ""), "no request called steal"));
}

TEST_F(Together, AChangedModelFileIsRefused) {
  start();
  run(0, works[0]->fit("ask"));
  const auto file = works[0]->material().state / "model.json";
  std::string text = read_whole(file);
  text[text.find('.', text.find("\"noise\"")) + 1] ^= 1;  // a digit of the number
  write_whole(file, text);
  EXPECT_TRUE(says(refusal([&] { start(); }), "model.json: the saved model was changed"));
}

TEST_F(Together, RowsOutsideTheCharterAreNamed) {
  const auto file = paper.folder.write("bad.csv", "y,age,sex \\ gender\n1,20,f\n2,130,m\n3,40,x\n400,50,f\n");
  const AgentRows read = read_rows(file, paper.charter);
  ASSERT_EQ(read.outside, 3u);
  EXPECT_TRUE(
      says(read.problems[0], "bad.csv, line 3, column \"age\": 130 is outside the charter's range 0 to 120"));
  EXPECT_TRUE(
      says(read.problems[1], "line 4, column \"sex \\\\ gender\": \"x\" is not one of the charter's levels"));
  EXPECT_TRUE(says(read.problems[2], "line 5, column \"y\": 400"));
  EXPECT_EQ(read.rows.inputs(0, 1), 1);
  EXPECT_TRUE(says(refusal([&] { read_points(file, paper.charter); }), "line 4"));
  EXPECT_TRUE(
      says(refusal([&] { read_rows(paper.folder.write("c.csv", "y,age\n1,2\n"), paper.charter); }), "sex"));
  paper.charter.protocol.rows = 3;
  EXPECT_TRUE(says(refusal([&] { read_rows(file, paper.charter); }), "protocol.most_rows"));
}

TEST_F(Together, PreflightFindsWhatIsWrong) {
  paper.sign_all();
  AgentConfig config;
  config.charter = paper.folder.write("charter.toml", to_toml(paper.charter));
  config.identity = paper.folder.path / "agent-b";
  config.data = paper.folder.write("b.csv", rows_csv(10, 3));
  config.listen = "127.0.0.1:7501";
  config.state = paper.folder.path / "state";
  const auto errors = [&] {
    std::string all;
    const Preflight report = preflight(config);
    for (const Finding& finding : report.findings)
      if (finding.kind == Finding::Kind::error) all += finding.text + "\n";
    EXPECT_EQ(report.sound(), all.empty());
    EXPECT_EQ(report.material.has_value(), all.empty());
    return all;
  };
  EXPECT_EQ(errors(), "");
  EXPECT_EQ(preflight(config).material->self, 1u);
  config.holdout = paper.folder.write("held.csv", "y,age,sex \\ gender\n1,200,f\n");
  EXPECT_TRUE(says(errors(), "held.csv, line 2, column \"age\""));
  config.holdout.reset();
  config.data = paper.folder.path / "nothing.csv";
  EXPECT_TRUE(says(errors(), "nothing.csv"));
  config.data = paper.folder.path / "b.csv";
  config.identity = paper.folder.path / "nowhere";
  EXPECT_TRUE(says(errors(), "tacit keygen"));
  make_keys(paper.folder.path / "x", "stranger", "");
  config.identity = paper.folder.path / "x";
  EXPECT_TRUE(says(errors(), "no agent called stranger"));
  make_keys(paper.folder.path / "y", "agent-b", "");
  config.identity = paper.folder.path / "y";
  EXPECT_TRUE(says(errors(), "a different identity or certificate for agent-b"));
  config.identity = paper.folder.path / "agent-b";
  paper.charter.signatures.erase("agent-c");
  paper.folder.write("charter.toml", to_toml(paper.charter));
  EXPECT_TRUE(says(errors(), "not signed yet by agent-c"));
}

TEST(Reachable, TellsOpenPortsFromClosedOnes) {
  EXPECT_FALSE(reachable("127.0.0.1:1", std::chrono::milliseconds(500)));
  EXPECT_FALSE(reachable("no-such-host.invalid:1", std::chrono::milliseconds(500)));
}

}  // namespace
}  // namespace tacit
