// Runs of several agents under the simulator, with the same programs as on a network.
#include <gtest/gtest.h>

#include <cmath>

#include "tacit/agent/daemon/preflight.hpp"
#include "tacit/agent/daemon/utc.hpp"
#include "tacit/agent/model/sealing.hpp"
#include "tacit/agent/rows/agent_data.hpp"
#include "tacit/agent/work/requests.pb.h"
#include "tacit/agent/work/run_handler_testing.hpp"
#include "tacit/base/system/files.hpp"
#include "tacit/gp/committee/committee.hpp"
#include "tacit/gp/expert/expert.hpp"
#include "tacit/identity/encoding.hpp"
#include "tacit/lab/simulator/simulator.hpp"

namespace tacit {
namespace {

using namespace testing;

class Together : public ::testing::Test, public WorkingConsortium {};

// An automatic fit needs the permission of the charter.
TEST_F(Together, AutomaticFitsNeedTheChartersPermission) {
  start();
  const OwnRequest due = handlers[0]->fit("ask", {}, 0, true);
  EXPECT_TRUE(refuses(1, 0, due, ReasonCode::may_not_ask, "agent-a requested a fit automatically"));
  EXPECT_FALSE(handlers[1]->consent(announced(0, handlers[0]->fit("ask"))).refusal);
  paper.charter.protocol.refits = true;
  start();
  EXPECT_FALSE(handlers[1]->consent(announced(0, handlers[0]->fit("ask", {}, 0, true))).refusal);
}

TEST_F(Together, FitThenPredictThenEvaluate) {
  start();
  EXPECT_TRUE(says(refusal([&] { handlers[0]->predict("ask", Matrix::Zero(1, 3)); }), "run tacit fit first"));
  run(1, handlers[1]->fit("ask"));
  for (const auto& handler : handlers) {
    ASSERT_TRUE(handler->held());
    const FittedModel& model = handler->held()->sealed.model;
    EXPECT_EQ(model.version, 1u);
    EXPECT_EQ(model.originator, 1u);
    EXPECT_EQ(model.roster, (std::vector<AgentId>{0, 1, 2, 3}));
    EXPECT_EQ(model.standardisation->rows, 80u);
    EXPECT_GT(model.evaluations, 3u);
    EXPECT_NE(model.transcript, Digest{});
    // All hold the same model, sealed by all.
    EXPECT_EQ(to_bytes(handler->held()->sealed), to_bytes(handlers[0]->held()->sealed));
    check_sealed(handler->held()->sealed, paper.charter);
    EXPECT_FALSE(handler->held()->rows_changed);
  }
  const Matrix points{{30, 1, 0}, {60, 0, 1}};
  const auto predicted = predict(2, points);
  ASSERT_EQ(predicted.mean_size(), 2);
  EXPECT_NEAR(predicted.mean(0), 100 + 60 + 20 + 5, 6);
  EXPECT_NEAR(predicted.mean(1), 100 + 120 + 5, 6);
  for (int k = 0; k < 2; ++k) {
    EXPECT_GT(predicted.latent_variance(k), 0);
    EXPECT_GT(predicted.observed_variance(k), predicted.latent_variance(k));
  }
  requests::Evaluated score;
  score.ParseFromString(run(0, handlers[0]->evaluate("ask"))[0]);
  EXPECT_EQ(score.rows(), 15u);  // agent-d holds out nothing
  EXPECT_LT(score.rmse(), 8);
  EXPECT_GT(score.rmse(), 1);
}

// The programme knows settings, not where they come from.
TEST_F(Together, ErrorsNameFieldsOfTheCharter) {
  paper.charter.tuning.on = false;
  paper.charter.model.landmarks.count = 0;
  paper.charter.model.noise = 1e-12;
  start();
  run(0, handlers[0]->fit("ask"));
  const std::string text = refusal([&] { predict(0, Matrix{{30, 1, 0}}); });
  EXPECT_TRUE(says(text, "the noise σ_ε (noise in [model]) is 1e-12, too small")) << text;
}

// Compared with the plain formula on each agent's rows: every rule, composed kernels, several experts.
TEST_F(Together, PredictionsAreThePlainFusion) {
  const Matrix points{{25, 1, 0}, {44.5, 0, 1}, {80, 0, 1}};
  for (Fusion rule : all_fusions) {
    SCOPED_TRACE(to_string(rule));
    CharterModel& agreed = paper.charter.model;
    agreed.fusion = rule;
    agreed.landmarks.count = 0;
    agreed.kernel = rule == Fusion::poe ? "se" : "matern52-ard + linear + constant";
    agreed.expert_rows = rule == Fusion::poe ? 500 : 9;
    start();
    run(0, handlers[0]->fit("ask"));
    const FittedModel model = handlers[0]->held()->sealed.model;
    const auto predicted = predict(3, points);
    std::vector<Matrix> means, variances;
    const Matrix at = model.standardisation->inputs.standard(points);
    for (const auto& handler : handlers) {
      const Samples data = model.standardisation->standard(*handler->material().data->here());
      for (const auto& part : split_rows(data.inputs, {.expert_rows = agreed.expert_rows})) {
        const Expert expert =
            Expert::of(data.inputs(part, Eigen::all), data.outputs(part, Eigen::all), model.priors[0]);
        means.push_back(expert.predict(at).mean);
        variances.push_back(expert.predict(at).latent_variance);
      }
    }
    const Matrix before = model.priors[0].kernel.prior_variance(at);
    const Prediction plain = model.original(fuse(rule, means, variances, before));
    for (int k = 0; k < 3; ++k) {
      EXPECT_NEAR(predicted.mean(k), plain.mean(k, 0), 1e-4);
      EXPECT_NEAR(std::sqrt(predicted.latent_variance(k)), std::sqrt(plain.latent_variance(k, 0)), 1e-5);
      EXPECT_NEAR(std::sqrt(predicted.observed_variance(k)), std::sqrt(plain.observed_variance(k, 0)), 1e-5);
    }
    for (const auto& handler : handlers) std::filesystem::remove_all(handler->material().state);
  }
}

// With consensus sums, the agents' own numbers differ slightly; all seal the originator's model.
TEST_F(Together, TheConsensusWorksToo) {
  paper.charter.protocol.sums = SumProtocol::consensus;
  paper.charter.model.landmarks.count = 0;
  paper.charter.protocol.fewest = 4;
  paper.charter.protocol.collusion = 1;
  paper.charter.tuning.on = false;
  start();
  run(0, handlers[0]->fit("ask"));
  for (const auto& handler : handlers)
    EXPECT_EQ(to_bytes(handler->held()->sealed), to_bytes(handlers[0]->held()->sealed));
  for (const std::string& result : run(1, handlers[1]->predict("ask", Matrix{{30, 1, 0}}))) {
    requests::Predicted predicted;
    predicted.ParseFromString(result);
    EXPECT_NEAR(predicted.mean(0), 185, 20);
  }
}

TEST_F(Together, AModelThatIsNotNearOnesOwnIsNotSealed) {
  start();
  run(0, handlers[0]->fit("ask"));
  const FittedModel own = handlers[0]->held()->sealed.model;
  const Terms terms = terms_of(paper.charter);
  const auto objection = [&](auto&& change) {
    FittedModel other = own;
    change(other);
    try {
      check_near(own, other, terms);
    } catch (const Error& e) {
      return std::string(e.what());
    }
    return std::string();
  };
  EXPECT_EQ(objection([](auto&) {}), "");
  EXPECT_EQ(objection([](auto& m) { m.priors[0].noise *= 1.0009; }), "");
  EXPECT_TRUE(says(objection([](auto& m) { m.priors[0].noise *= 1.0012; }), "prior"));
  EXPECT_TRUE(says(objection([](auto& m) { m.priors[0].kernel = parse_kernel("se"); }), "prior"));
  EXPECT_TRUE(says(objection([](auto& m) { m.priors.clear(); }), "targets"));
  EXPECT_EQ(objection([](auto& m) { m.standardisation->inputs.shift(0) += 0.119; }), "");  // of 120
  EXPECT_TRUE(
      says(objection([](auto& m) { m.standardisation->inputs.shift(0) += 0.121; }), "standardisation"));
  EXPECT_TRUE(
      says(objection([](auto& m) { m.standardisation->outputs.scale(0) *= 1.002; }), "standardisation"));
  EXPECT_TRUE(says(objection([](auto& m) { ++m.standardisation->rows; }), "standardisation"));
  EXPECT_TRUE(says(objection([](auto& m) { m.standardisation.reset(); }), "standardisation"));
  EXPECT_TRUE(says(objection([](auto& m) { m.likelihood *= 1.01; }), "likelihood"));
  EXPECT_TRUE(says(objection([](auto& m) { ++m.evaluations; }), "likelihood"));
}

TEST_F(Together, TreeSumsWorkToo) {
  paper.charter.protocol.sums = SumProtocol::tree;
  start();
  run(0, handlers[0]->fit("ask"));
  EXPECT_NEAR(predict(3, Matrix{{30, 1, 0}}).mean(0), 185, 6);
  EXPECT_GT(run(2, handlers[2]->evaluate("ask")).size(), 0u);
}

TEST_F(Together, ARestartKeepsTheModelAndAnAgentThatLostItAdoptsIt) {
  start();
  run(1, handlers[1]->fit("ask"));
  const auto before = predict(2, Matrix{{30, 1, 0}});
  const std::string kept = to_bytes(handlers[0]->held()->sealed);
  start();
  EXPECT_EQ(to_bytes(handlers[0]->held()->sealed), kept);
  EXPECT_EQ(predict(2, Matrix{{30, 1, 0}}).mean(0), before.mean(0));
  std::filesystem::remove(state(3, "model.json"));
  start();
  EXPECT_FALSE(handlers[3]->held());
  EXPECT_EQ(predict(2, Matrix{{30, 1, 0}}).mean(0), before.mean(0));
  EXPECT_EQ(to_bytes(handlers[3]->held()->sealed), kept);
}

TEST_F(Together, OldModelsAreRefused) {
  start();
  run(1, handlers[1]->fit("ask"));
  const OwnRequest old = handlers[2]->predict("ask", Matrix{{30, 1, 0}});
  run(1, handlers[1]->fit("ask"));
  EXPECT_EQ(handlers[0]->held()->sealed.model.version, 2u);
  EXPECT_TRUE(refuses(0, 2, old, ReasonCode::newer_model, "holds a newer model (version 2"));
  EXPECT_EQ(handlers[0]->consent(announced(2, old)).refusal->detail, 2u);
}

// Two simultaneous fits cannot both become version 1.
TEST_F(Together, NoVersionIsSignedTwice) {
  start();
  const OwnRequest one = handlers[0]->fit("one"), other = handlers[1]->fit("other");
  run(0, one);
  EXPECT_TRUE(refuses(2, 1, other, ReasonCode::version_taken, "already signed version 1"));
  EXPECT_EQ(handlers[2]->consent(announced(1, other)).refusal->detail, 1u);
  // Nor can agents sign it that consented before the other fit ended.
  EXPECT_THROW(go(announced(1, other)), Error);
  start();
  EXPECT_TRUE(refuses(2, 1, other, ReasonCode::version_taken, "already signed version 1"));
  EXPECT_TRUE(
      refuses(2, 1, handlers[1]->fit("ask", {}, std::uint64_t{1} << 40), ReasonCode::malformed, "skip"));
  EXPECT_FALSE(handlers[2]->consent(announced(1, handlers[1]->fit("ask", {}, 1000))).refusal);
}

TEST_F(Together, ATimeIsATime) {
  start();
  std::uint64_t difference = 0;  // of the two clocks, as the refusal reports it
  const auto at = [&](const std::string& time) {
    OwnRequest asking = handlers[0]->fit("ask");
    requests::Fit body;
    body.ParseFromString(asking.request.body);
    body.set_fitted_at(time);
    asking.request.body = body.SerializeAsString();
    const Consent consent = handlers[1]->consent(announced(0, asking));
    difference = consent.refusal ? consent.refusal->detail : 0;
    return !consent.refusal ? "good" : consent.refusal->code == ReasonCode::wrong_time ? "wrong time" : "?";
  };
  using namespace std::chrono_literals;
  EXPECT_STREQ(at(to_text(utc_now())), "good");
  EXPECT_STREQ(at(to_text(utc_now() + 4min)), "good");
  EXPECT_STREQ(at(to_text(utc_now() - 23h)), "good");
  EXPECT_STREQ(at(to_text(utc_now() + 6min)), "wrong time");
  EXPECT_NEAR(static_cast<double>(difference), 360, 30);
  EXPECT_STREQ(at(to_text(utc_now() - 25h)), "wrong time");
  EXPECT_NEAR(static_cast<double>(difference), 90'000, 30);
  EXPECT_STREQ(at("2999-01-01T00:00:00.000Z"), "wrong time");
  EXPECT_STREQ(at("tomorrow, as it were...."), "wrong time");
  EXPECT_EQ(difference, 0u);
}

TEST_F(Together, AFitExcludesNoMemberUnlessOwnersAllowIt) {
  paper.charter.protocol.collusion = 1;
  paper.charter.protocol.fewest = 3;
  rules.without = {"agent-d"};
  start();
  const OwnRequest asking = handlers[0]->fit("ask", {"agent-d"});
  EXPECT_EQ(asking.roster, (std::vector<AgentId>{0, 1, 2}));
  for (const AgentId i : {0, 1, 2}) EXPECT_FALSE(handlers[i]->consent(announced(0, asking)).refusal);
  EXPECT_TRUE(refuses(3, 0, asking, ReasonCode::no_part, "not in the roster"));
  EXPECT_TRUE(
      says(refusal([&] { handlers[0]->fit("ask", {"agent-c"}); }), "does not allow a fit without agent-c"));
  // The roster does not match the members excluded by name.
  OwnRequest other = handlers[0]->fit("ask");
  other.roster = {0, 1, 2};
  EXPECT_TRUE(refuses(1, 0, other, ReasonCode::other_roster, "except those excluded by name"));
  other = asking;
  other.roster = {0, 1, 3};
  EXPECT_TRUE(refuses(1, 0, other, ReasonCode::other_roster, "except those excluded by name"));
  // The policy of another owner.
  rules.without = {};
  start();
  EXPECT_TRUE(refuses(1, 0, asking, ReasonCode::not_without, "policy of agent-b does not allow"));
  // Fewer than collusion + 2 agents are refused, whatever the policies allow.
  rules.without = {"*"};
  paper.charter.protocol.collusion = 2;
  start();
  EXPECT_TRUE(says(refusal([&] { handlers[0]->fit("ask", {"agent-d"}); }), "require 4"));
  EXPECT_TRUE(refuses(1, 0, asking, ReasonCode::too_few, "require 4"));
  EXPECT_EQ(handlers[1]->consent(announced(0, asking)).refusal->detail, 4u);
}

TEST_F(Together, PredictionsNeedTheModelsRoster) {
  paper.charter.protocol.collusion = 1;
  rules.without = {"*"};
  start();
  run(0, handlers[0]->fit("ask"));
  OwnRequest asking = handlers[0]->predict("ask", Matrix{{30, 1, 0}});
  EXPECT_FALSE(handlers[1]->consent(announced(0, asking)).refusal);
  asking.roster = {0, 1, 2};
  EXPECT_TRUE(refuses(1, 0, asking, ReasonCode::other_roster, "differs from the roster of the model"));
  asking = handlers[0]->evaluate("ask");
  asking.roster = {0, 1, 3};
  EXPECT_TRUE(refuses(1, 0, asking, ReasonCode::other_roster, "differs from the roster of the model"));
}

TEST_F(Together, AnAgentWhoseRowsChangedTakesPartOnlyInAFit) {
  start();
  run(0, handlers[0]->fit("ask"));
  const OwnRequest asking = handlers[0]->predict("ask", Matrix{{30, 1, 0}}),
                   evaluating = handlers[0]->evaluate("ask");
  data_seed = 50;
  start();
  EXPECT_TRUE(logged("rows differ from those"));
  EXPECT_TRUE(handlers[1]->held()->rows_changed);
  EXPECT_TRUE(refuses(1, 0, asking, ReasonCode::rows_changed, "run tacit fit"));
  EXPECT_TRUE(refuses(1, 0, evaluating, ReasonCode::rows_changed, "run tacit fit"));
  EXPECT_TRUE(says(refusal([&] { handlers[1]->evaluate("ask"); }), "run tacit fit"));
  // The same if the model comes from the request: signed.json identifies the rows.
  std::filesystem::remove(state(1, "model.json"));
  start();
  EXPECT_TRUE(refuses(1, 0, asking, ReasonCode::rows_changed, "run tacit fit"));
  run(0, handlers[0]->fit("ask"));
  EXPECT_FALSE(handlers[1]->held()->rows_changed);
  predict(1, Matrix{{30, 1, 0}});
}

// Two evaluations with different held-out rows would reveal sums over the rows that differ.
TEST_F(Together, ChangedHeldOutRowsCountAsChanged) {
  start();
  run(0, handlers[0]->fit("ask"));
  const OwnRequest evaluating = handlers[0]->evaluate("ask");
  held_seed = 200;
  start();
  EXPECT_TRUE(refuses(1, 0, evaluating, ReasonCode::rows_changed, "run tacit fit"));
  EXPECT_FALSE(handlers[3]->held()->rows_changed) << "it has no held-out rows";
}

// An owner can notice a manipulated search: the model explains the owner's rows worse.
TEST_F(Together, AModelThatFitsTheOwnRowsWorseIsReported) {
  const std::string words = "explains this agent's own rows worse";
  start();
  run(0, handlers[0]->fit("ask"));
  EXPECT_FALSE(logged(words));
  odd_noise = 55;  // within the charter's range
  start();
  run(0, handlers[0]->fit("ask"));
  EXPECT_EQ(std::count_if(log.begin(), log.end(), [&](const auto& text) { return says(text, words); }), 1);
}

TEST_F(Together, ThePolicyIsAskedAndCharged) {
  rules.a_day = {{RequestKind::predict, 3}};
  rules.may = {
      {RequestKind::fit, {"agent-a"}}, {RequestKind::predict, {"*"}}, {RequestKind::evaluate, {"*"}}};
  start();
  EXPECT_TRUE(says(refusal([&] { run(1, handlers[1]->fit("ask")); }),
                   "agent-a does not allow fit requests from agent-b"));
  EXPECT_TRUE(refuses(2, 1, handlers[1]->fit("ask"), ReasonCode::may_not_ask, "does not allow fit requests"));
  run(0, handlers[0]->fit("ask"));
  const Matrix two{{30, 1, 0}, {31, 1, 0}};
  run(1, handlers[1]->predict("ask", two));
  EXPECT_TRUE(says(refusal([&] { run(1, handlers[1]->predict("ask", two)); }), "remaining: 1, requested: 2"));
  start();  // counts survive a restart
  EXPECT_TRUE(says(refusal([&] { run(1, handlers[1]->predict("ask", two)); }), "remaining: 1, requested: 2"));
  run(1, handlers[1]->predict("ask", Matrix{{30, 1, 0}}));
  run(2, handlers[2]->predict("ask", two));
}

TEST_F(Together, UnsoundRequestsAreRefused) {
  start();
  run(0, handlers[0]->fit("ask"));
  const OwnRequest good = handlers[0]->predict("ask", Matrix{{30, 1, 0}});
  const auto code = [&](const std::string& kind, const std::string& body) {
    const Consent consent = handlers[1]->consent(announced(0, {{kind, body}, good.roster}));
    return consent.refusal ? consent.refusal->code : ReasonCode{};
  };
  requests::Predict body;
  body.ParseFromString(good.request.body);
  const auto bent = [&](auto&& bend) {
    requests::Predict other = body;
    bend(other);
    return code("predict", other.SerializeAsString());
  };
  EXPECT_EQ(code("predict", body.SerializeAsString()), ReasonCode{});
  EXPECT_EQ(code("steal", ""), ReasonCode::malformed);
  EXPECT_EQ(code("fit", ""), ReasonCode::malformed);
  EXPECT_EQ(code("evaluate", ""), ReasonCode::malformed);
  EXPECT_EQ(code("predict", "\xff\xff garbage"), ReasonCode::malformed);
  EXPECT_EQ(code("predict", std::string(10 << 20, '\0')), ReasonCode::malformed);
  EXPECT_EQ(bent([](auto& b) { b.set_ask(std::string(65, 'x')); }), ReasonCode::malformed);
  EXPECT_EQ(bent([](auto& b) { b.set_points(2); }), ReasonCode::outside_agreement);
  EXPECT_EQ(bent([](auto& b) { b.set_points(0); }), ReasonCode::outside_agreement);
  EXPECT_EQ(bent([](auto& b) { b.set_points(UINT64_MAX / 3 + 1); }), ReasonCode::outside_agreement);
  EXPECT_EQ(bent([](auto& b) { b.set_values(1, std::nan("")); }), ReasonCode::outside_agreement);
  EXPECT_EQ(bent([](auto& b) { b.set_values(0, 1e9); }), ReasonCode::outside_agreement);
  EXPECT_EQ(bent([](auto& b) { b.set_values(2, 1); }), ReasonCode::outside_agreement);  // two levels
  // Another party's point must not appear in this agent's log.
  requests::Predict outside = body;
  outside.set_values(0, 123.456);
  const Consent consent =
      handlers[1]->consent(announced(0, {{"predict", outside.SerializeAsString()}, good.roster}));
  EXPECT_FALSE(says(consent.log, "123"));
}

// The checks of a request and its points are done once. What another agent sends is not read again.
TEST_F(Together, ARequestIsDecodedOnce) {
  start();
  run(0, handlers[0]->fit("ask"));
  std::filesystem::remove(state(3, "model.json"));
  start();
  const OwnRequest asking = handlers[0]->predict("ask", Matrix{{30, 1, 0}});
  const auto own = std::dynamic_pointer_cast<const CheckedRequest>(asking.request.decoded);
  ASSERT_TRUE(own);
  EXPECT_EQ(handlers[0]->held()->sealed.digest, own->model->digest);
  auto all = agreed(0, asking);
  const auto at = [&](AgentId i) {
    return std::dynamic_pointer_cast<const CheckedRequest>(all[i].request.decoded);
  };
  EXPECT_EQ(at(0)->typed, own->typed) << "an own request is not decoded";
  EXPECT_TRUE(at(3)->taken_over);
  for (RunDescription& one : all) one.request.body = "not a request";
  const auto results = go(all);
  EXPECT_EQ(results[3], results[0]);
  EXPECT_EQ(to_bytes(handlers[3]->held()->sealed), to_bytes(handlers[0]->held()->sealed));
}

// A fit that ends between the consent to another fit and its start takes its version.
TEST_F(Together, WhatCanChangeIsCheckedAgainAtTheStart) {
  start();
  const auto late = agreed(1, handlers[1]->fit("late"));
  run(0, handlers[0]->fit("ask"));
  EXPECT_TRUE(says(refusal([&] { go(late); }), "already signed version 1"));
}

// The model of a request is used only if its whole roster has sealed it.
TEST_F(Together, AModelNeedsAllSignatures) {
  start();
  run(0, handlers[0]->fit("ask"));
  const OwnRequest good = handlers[0]->predict("ask", Matrix{{30, 1, 0}});
  const SealedModel held = handlers[0]->held()->sealed;
  std::string words;  // for this agent's log
  const auto code = [&](const SealedModel& sealed) {
    requests::Predict body;
    body.ParseFromString(good.request.body);
    body.mutable_about()->set_digest(std::string(reinterpret_cast<const char*>(sealed.digest.data()), 32));
    body.mutable_about()->set_signed_model(to_bytes(sealed));
    const Consent consent =
        handlers[1]->consent(announced(0, {{"predict", body.SerializeAsString()}, good.roster}));
    words = consent.log;
    return consent.refusal ? consent.refusal->code : ReasonCode{};
  };
  const auto seal_all = [&](SealedModel sealed) {
    sealed.digest = digest_of(sealed.model);
    for (Seal& seal : sealed.seals)
      seal = make_seal(sealed.digest, seal.agent, seal.commitment, paper.keys[seal.agent].identity);
    return sealed;
  };
  EXPECT_EQ(code(held), ReasonCode{});
  SealedModel other = held;
  other.model.version = 2;
  other.model.priors[0].noise = 0.011;
  other.digest = digest_of(other.model);
  EXPECT_EQ(code(other), ReasonCode::no_model);  // seals of another model
  other.seals[0] = make_seal(other.digest, 0, held.seals[0].commitment, paper.keys[0].identity);
  EXPECT_EQ(code(other), ReasonCode::no_model);  // only the first agent's seal is valid
  // Sealed by all, as no honest agent would do: it must be plausible, newer, and fitted to known rows.
  other = held;
  other.model.version = 2;
  other.model.priors[0].noise = 1e-6;  // would reveal single rows
  EXPECT_EQ(code(seal_all(other)), ReasonCode::no_model);
  other = held;
  other.model.version = 2;
  EXPECT_EQ(code(seal_all(other)), ReasonCode::rows_changed);  // this agent has never signed it
  other = held;
  other.model.priors[0].noise *= 1.01;
  EXPECT_EQ(code(seal_all(other)), ReasonCode::no_model);  // two models of one version
  EXPECT_TRUE(says(words, "A member has signed two models")) << words;
  std::filesystem::remove(state(1, "signed.json"));
  start();
  EXPECT_EQ(code(seal_all(other)), ReasonCode::no_model);  // detected also without signed.json
  // If the digest is that of the held model, the model in the request is ignored.
  other = held;
  other.model.priors[0].noise = 0.011;
  other.digest = held.digest;
  EXPECT_EQ(code(other), ReasonCode{});
  std::filesystem::remove(state(1, "model.json"));
  start();
  EXPECT_EQ(code(other), ReasonCode::no_model);
}

// An agent that seals a different model is named, and no agent stores a model.
TEST_F(Together, ASealOfAnotherModelEndsTheFit) {
  start();
  const OwnRequest asking = handlers[0]->fit("ask");
  const RunDescription all = announced(0, asking);
  RunDescription bent = all;
  requests::Fit body;
  body.ParseFromString(asking.request.body);
  body.set_version(5);
  bent.request.body = body.SerializeAsString();
  Simulator simulator(paper.charter.graph(),
                      {.threads = 1, .seed = 1, .network = {}, .coalition = {}, .progress = nullptr});
  std::string message;
  try {
    simulator.run<std::string>(
        [&](tacit::Run& net) { return handlers[net.self()]->program(net, net.self() == 2 ? bent : all); });
  } catch (const Error& e) {
    message = e.what();
  }
  EXPECT_TRUE(says(message, "agent-c sealed a different model")) << message;
  for (const auto& handler : handlers) EXPECT_FALSE(handler->held());
  EXPECT_EQ(handlers[1]->models().highest(), 1u);  // it has signed, and will not sign version 1 again
}

TEST_F(Together, AnEditedModelFileIsSetAsideAndTheAgentStarts) {
  start();
  run(0, handlers[0]->fit("ask"));
  std::string text = read_whole(state(0, "model.json"));
  text[text.find('.', text.find("\"noise\"")) + 1] ^= 1;  // a digit of the number
  write_whole(state(0, "model.json"), text);
  start();
  EXPECT_FALSE(handlers[0]->held());
  EXPECT_TRUE(logged("model.json is not used and was renamed to *.set-aside"));
  EXPECT_TRUE(says(refusal([&] { handlers[0]->predict("ask", Matrix{{30, 1, 0}}); }), "run tacit fit first"));
  predict(1, Matrix{{30, 1, 0}});  // the others continue, and it adopts their model
  EXPECT_TRUE(handlers[0]->held());
}

TEST_F(Together, TheLedgerRemembersEveryRun) {
  rules.a_day = {{RequestKind::evaluate, 1}};
  start();
  run(0, handlers[0]->fit("ask"));
  run(1, handlers[1]->predict("ask", Matrix{{30, 1, 0}, {40, 0, 1}}));
  const RunDescription evaluation = announced(2, handlers[2]->evaluate("ask"));
  go(evaluation);
  EXPECT_THROW(go(evaluation), Error);  // the policy's limit: the run did not begin, and no data were used
  for (const auto& handler : handlers) {
    std::vector<LedgerLine> lines;
    const LedgerState state = read_ledger(handler->material().state / "ledger.jsonl",
                                          [&](const LedgerLine& line) { lines.push_back(line); });
    EXPECT_EQ(state.broken, "");
    const bool asker =
        handler->material().self == 2;  // an owner has no limit: its run began, and failed with the others
    ASSERT_EQ(lines.size(), asker ? 9u : 7u);
    EXPECT_EQ(lines[1].event, "opens");
    EXPECT_LE(lines[1].opened, lines[2].opened);  // tuning opens more
    lines.erase(lines.begin() + 1);
    const SealedModel& sealed = handler->held()->sealed;
    EXPECT_EQ(lines[0].event + lines[0].kind + lines[0].asker, "beganfitagent-a");
    EXPECT_EQ(lines[0].model, "");
    EXPECT_EQ(lines[0].roster, (Roster{"agent-a", "agent-b", "agent-c", "agent-d"}));
    EXPECT_EQ(lines[1].event + lines[1].outcome, "endeddone");
    EXPECT_EQ(lines[1].model, hex(sealed.digest));
    EXPECT_EQ(lines[1].version, 1u);
    EXPECT_GT(lines[1].opened, 10u);
    EXPECT_EQ(lines[2].kind + lines[2].asker, "predictagent-b");
    EXPECT_EQ(lines[2].points, 2u);
    EXPECT_EQ(lines[2].model, hex(sealed.digest));
    EXPECT_GE(lines[3].opened, 4u);
    EXPECT_EQ(lines[5].kind + lines[5].outcome, "evaluatedone");
    EXPECT_EQ(lines.back().outcome, asker ? "failed" : "done");
  }
}

}  // namespace
}  // namespace tacit
