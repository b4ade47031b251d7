// What agents do together, under the simulator: the same programs as on a network.
#include <gtest/gtest.h>

#include <cmath>

#include "tacit/agent/agent_data.hpp"
#include "tacit/agent/preflight.hpp"
#include "tacit/agent/requests.pb.h"
#include "tacit/agent/sealing.hpp"
#include "tacit/agent/utc.hpp"
#include "tacit/agent/work_testing.h"
#include "tacit/base/files.hpp"
#include "tacit/gp/committee.hpp"
#include "tacit/gp/expert.hpp"
#include "tacit/identity/encoding.hpp"
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

  bool refuses(AgentId who, AgentId originator, const Asking& asking, ReasonCode code,
               const std::string& words) {
    const Consent consent = works[who]->consent(announced(originator, asking));
    EXPECT_TRUE(says(consent.log, words)) << consent.log;
    return consent.refusal && consent.refusal->code == code;
  }
};

TEST_F(Together, FitThenPredictThenEvaluate) {
  start();
  EXPECT_TRUE(says(refusal([&] { works[0]->predict("ask", Matrix::Zero(1, 3)); }), "run tacit fit first"));
  run(1, works[1]->fit("ask"));
  for (const auto& work : works) {
    ASSERT_TRUE(work->held());
    const FittedModel& model = work->held()->sealed.model;
    EXPECT_EQ(model.version, 1u);
    EXPECT_EQ(model.originator, 1u);
    EXPECT_EQ(model.roster, (std::vector<AgentId>{0, 1, 2, 3}));
    EXPECT_EQ(model.standardisation->rows, 80u);
    EXPECT_GT(model.evaluations, 3u);
    EXPECT_NE(model.transcript, Digest{});
    // All hold the same, under everybody's seal.
    EXPECT_EQ(to_bytes(work->held()->sealed), to_bytes(works[0]->held()->sealed));
    check_sealed(work->held()->sealed, paper.charter);
    EXPECT_FALSE(work->held()->rows_changed);
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
    agreed.landmarks.count = 0;
    agreed.kernel = rule == Fusion::poe ? "se" : "matern52-ard + linear + constant";
    agreed.expert_rows = rule == Fusion::poe ? 500 : 9;
    start();
    run(0, works[0]->fit("ask"));
    const FittedModel model = works[0]->held()->sealed.model;
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

// There, agents' own numbers differ a little: all of them seal the originator's.
TEST_F(Together, TheConsensusWorksToo) {
  paper.charter.protocol.sums = SumProtocol::consensus;
  paper.charter.model.landmarks.count = 0;
  paper.charter.protocol.fewest = 4;
  paper.charter.protocol.collusion = 1;
  paper.charter.tuning.on = false;
  start();
  run(0, works[0]->fit("ask"));
  for (const auto& work : works)
    EXPECT_EQ(to_bytes(work->held()->sealed), to_bytes(works[0]->held()->sealed));
  for (const std::string& result : run(1, works[1]->predict("ask", Matrix{{30, 1, 0}}))) {
    requests::Predicted predicted;
    predicted.ParseFromString(result);
    EXPECT_NEAR(predicted.mean(0), 185, 20);
  }
}

TEST_F(Together, AModelThatIsNotNearOnesOwnIsNotSealed) {
  start();
  run(0, works[0]->fit("ask"));
  const FittedModel own = works[0]->held()->sealed.model;
  const Terms terms = terms_of(paper.charter);
  const auto said = [&](auto&& change) {
    FittedModel other = own;
    change(other);
    try {
      check_near(own, other, terms);
    } catch (const Error& e) {
      return std::string(e.what());
    }
    return std::string();
  };
  EXPECT_EQ(said([](auto&) {}), "");
  EXPECT_EQ(said([](auto& m) { m.priors[0].noise *= 1.0009; }), "");
  EXPECT_TRUE(says(said([](auto& m) { m.priors[0].noise *= 1.0012; }), "prior"));
  EXPECT_TRUE(says(said([](auto& m) { m.priors[0].kernel = parse_kernel("se"); }), "prior"));
  EXPECT_TRUE(says(said([](auto& m) { m.priors.clear(); }), "targets"));
  EXPECT_EQ(said([](auto& m) { m.standardisation->inputs.shift(0) += 0.119; }), "");  // of 120
  EXPECT_TRUE(says(said([](auto& m) { m.standardisation->inputs.shift(0) += 0.121; }), "standardisation"));
  EXPECT_TRUE(says(said([](auto& m) { m.standardisation->outputs.scale(0) *= 1.002; }), "standardisation"));
  EXPECT_TRUE(says(said([](auto& m) { ++m.standardisation->rows; }), "standardisation"));
  EXPECT_TRUE(says(said([](auto& m) { m.standardisation.reset(); }), "standardisation"));
  EXPECT_TRUE(says(said([](auto& m) { m.likelihood *= 1.01; }), "likelihood"));
  EXPECT_TRUE(says(said([](auto& m) { ++m.evaluations; }), "likelihood"));
}

TEST_F(Together, TreeSumsWorkToo) {
  paper.charter.protocol.sums = SumProtocol::tree;
  start();
  run(0, works[0]->fit("ask"));
  EXPECT_NEAR(predict(3, Matrix{{30, 1, 0}}).mean(0), 185, 6);
  EXPECT_GT(run(2, works[2]->evaluate("ask")).size(), 0u);
}

TEST_F(Together, ARestartKeepsTheModelAndWhoeverLostItTakesItOver) {
  start();
  run(1, works[1]->fit("ask"));
  const auto before = predict(2, Matrix{{30, 1, 0}});
  const std::string kept = to_bytes(works[0]->held()->sealed);
  start();
  EXPECT_EQ(to_bytes(works[0]->held()->sealed), kept);
  EXPECT_EQ(predict(2, Matrix{{30, 1, 0}}).mean(0), before.mean(0));
  std::filesystem::remove(state(3, "model.json"));
  start();
  EXPECT_FALSE(works[3]->held());
  EXPECT_EQ(predict(2, Matrix{{30, 1, 0}}).mean(0), before.mean(0));
  EXPECT_EQ(to_bytes(works[3]->held()->sealed), kept);
}

TEST_F(Together, OldModelsAreRefused) {
  start();
  run(1, works[1]->fit("ask"));
  const Asking old = works[2]->predict("ask", Matrix{{30, 1, 0}});
  run(1, works[1]->fit("ask"));
  EXPECT_EQ(works[0]->held()->sealed.model.version, 2u);
  EXPECT_TRUE(refuses(0, 2, old, ReasonCode::newer_model, "holds a newer model (version 2"));
  EXPECT_EQ(works[0]->consent(announced(2, old)).refusal->detail, 2u);
}

// Two fits at once cannot both become version 1.
TEST_F(Together, NoVersionIsSignedTwice) {
  start();
  const Asking one = works[0]->fit("one"), other = works[1]->fit("other");
  run(0, one);
  EXPECT_TRUE(refuses(2, 1, other, ReasonCode::version_taken, "signed version 1 already"));
  EXPECT_EQ(works[2]->consent(announced(1, other)).refusal->detail, 1u);
  // Not even by agents that consented before the other one was over.
  EXPECT_THROW(go(announced(1, other)), Error);
  start();
  EXPECT_TRUE(refuses(2, 1, other, ReasonCode::version_taken, "signed version 1 already"));
  EXPECT_TRUE(refuses(2, 1, works[1]->fit("ask", {}, std::uint64_t{1} << 40), ReasonCode::malformed, "skip"));
  EXPECT_FALSE(works[2]->consent(announced(1, works[1]->fit("ask", {}, 1000))).refusal);
}

TEST_F(Together, ATimeIsATime) {
  start();
  const auto at = [&](const std::string& time) {
    Asking asking = works[0]->fit("ask");
    requests::Fit body;
    body.ParseFromString(asking.request.body);
    body.set_fitted_at(time);
    asking.request.body = body.SerializeAsString();
    const Consent consent = works[1]->consent(announced(0, asking));
    return !consent.refusal ? "good" : consent.refusal->code == ReasonCode::wrong_time ? "wrong time" : "?";
  };
  using namespace std::chrono_literals;
  EXPECT_STREQ(at(to_text(utc_now())), "good");
  EXPECT_STREQ(at(to_text(utc_now() + 4min)), "good");
  EXPECT_STREQ(at(to_text(utc_now() - 23h)), "good");
  EXPECT_STREQ(at(to_text(utc_now() + 6min)), "wrong time");
  EXPECT_STREQ(at(to_text(utc_now() - 25h)), "wrong time");
  EXPECT_STREQ(at("2999-01-01T00:00:00.000Z"), "wrong time");
  EXPECT_STREQ(at("tomorrow, as it were...."), "wrong time");
}

TEST_F(Together, AFitGoesWithoutNobodyUnlessOwnersAllowIt) {
  paper.charter.protocol.collusion = 1;
  paper.charter.protocol.fewest = 3;
  rules.without = {"agent-d"};
  start();
  const Asking asking = works[0]->fit("ask", {"agent-d"});
  EXPECT_EQ(asking.roster, (std::vector<AgentId>{0, 1, 2}));
  for (const AgentId i : {0, 1, 2}) EXPECT_FALSE(works[i]->consent(announced(0, asking)).refusal);
  EXPECT_TRUE(refuses(3, 0, asking, ReasonCode::no_part, "not in the roster"));
  EXPECT_TRUE(
      says(refusal([&] { works[0]->fit("ask", {"agent-c"}); }), "does not allow a fit without agent-c"));
  // A roster that does not say who is left out, or says somebody else.
  Asking other = works[0]->fit("ask");
  other.roster = {0, 1, 2};
  EXPECT_TRUE(refuses(1, 0, other, ReasonCode::other_roster, "everybody but"));
  other = asking;
  other.roster = {0, 1, 3};
  EXPECT_TRUE(refuses(1, 0, other, ReasonCode::other_roster, "everybody but"));
  // Another owner's policy.
  rules.without = {};
  start();
  EXPECT_TRUE(refuses(1, 0, asking, ReasonCode::not_without, "policy of agent-b does not allow"));
  // Fewer than collusion + 2 are too few, whatever owners say.
  rules.without = {"*"};
  paper.charter.protocol.collusion = 2;
  start();
  EXPECT_TRUE(says(refusal([&] { works[0]->fit("ask", {"agent-d"}); }), "need 4"));
  EXPECT_TRUE(refuses(1, 0, asking, ReasonCode::too_few, "need 4"));
  EXPECT_EQ(works[1]->consent(announced(0, asking)).refusal->detail, 4u);
}

TEST_F(Together, PredictionsNeedTheModelsRoster) {
  paper.charter.protocol.collusion = 1;
  rules.without = {"*"};
  start();
  run(0, works[0]->fit("ask"));
  Asking asking = works[0]->predict("ask", Matrix{{30, 1, 0}});
  EXPECT_FALSE(works[1]->consent(announced(0, asking)).refusal);
  asking.roster = {0, 1, 2};
  EXPECT_TRUE(refuses(1, 0, asking, ReasonCode::other_roster, "not the one that the model was fitted with"));
  asking = works[0]->evaluate("ask");
  asking.roster = {0, 1, 3};
  EXPECT_TRUE(refuses(1, 0, asking, ReasonCode::other_roster, "not the one that the model was fitted with"));
}

TEST_F(Together, WhoseRowsChangedTakesPartInNothingButAFit) {
  start();
  run(0, works[0]->fit("ask"));
  const Asking asking = works[0]->predict("ask", Matrix{{30, 1, 0}}), evaluating = works[0]->evaluate("ask");
  data_seed = 50;
  start();
  EXPECT_TRUE(logged("rows are not those"));
  EXPECT_TRUE(works[1]->held()->rows_changed);
  EXPECT_TRUE(refuses(1, 0, asking, ReasonCode::rows_changed, "run tacit fit"));
  EXPECT_TRUE(refuses(1, 0, evaluating, ReasonCode::rows_changed, "run tacit fit"));
  EXPECT_TRUE(says(refusal([&] { works[1]->evaluate("ask"); }), "run tacit fit"));
  // Nor when the model has to be taken over: what was signed says which rows they were.
  std::filesystem::remove(state(1, "model.json"));
  start();
  EXPECT_TRUE(refuses(1, 0, asking, ReasonCode::rows_changed, "run tacit fit"));
  run(0, works[0]->fit("ask"));
  EXPECT_FALSE(works[1]->held()->rows_changed);
  predict(1, Matrix{{30, 1, 0}});
}

// Two evaluations with other held-out rows in between would show what was exchanged.
TEST_F(Together, ChangedHeldOutRowsCountAsChanged) {
  start();
  run(0, works[0]->fit("ask"));
  const Asking evaluating = works[0]->evaluate("ask");
  held_seed = 200;
  start();
  EXPECT_TRUE(refuses(1, 0, evaluating, ReasonCode::rows_changed, "run tacit fit"));
  EXPECT_FALSE(works[3]->held()->rows_changed) << "it holds out none";
}

// What an owner can see of a search that was led astray: its own rows speak against the model.
TEST_F(Together, AModelThatSuitsOnesOwnRowsWorseIsSaid) {
  const std::string words = "suits this agent's own rows less well";
  start();
  run(0, works[0]->fit("ask"));
  EXPECT_FALSE(logged(words));
  odd_noise = 55;  // stays within the charter's range
  start();
  run(0, works[0]->fit("ask"));
  EXPECT_EQ(std::count_if(log.begin(), log.end(), [&](const auto& text) { return says(text, words); }), 1);
}

TEST_F(Together, ThePolicyIsAskedAndCharged) {
  rules.a_day = {{RequestKind::predict, 3}};
  rules.may = {
      {RequestKind::fit, {"agent-a"}}, {RequestKind::predict, {"*"}}, {RequestKind::evaluate, {"*"}}};
  start();
  EXPECT_TRUE(
      says(refusal([&] { run(1, works[1]->fit("ask")); }), "agent-a does not let agent-b ask for fit"));
  EXPECT_TRUE(refuses(2, 1, works[1]->fit("ask"), ReasonCode::may_not_ask, "does not let"));
  run(0, works[0]->fit("ask"));
  const Matrix two{{30, 1, 0}, {31, 1, 0}};
  run(1, works[1]->predict("ask", two));
  EXPECT_TRUE(says(refusal([&] { run(1, works[1]->predict("ask", two)); }), "of which 1 are left"));
  start();  // counts survive
  EXPECT_TRUE(says(refusal([&] { run(1, works[1]->predict("ask", two)); }), "of which 1 are left"));
  run(1, works[1]->predict("ask", Matrix{{30, 1, 0}}));
  run(2, works[2]->predict("ask", two));
}

TEST_F(Together, UnsoundRequestsAreRefused) {
  start();
  run(0, works[0]->fit("ask"));
  const Asking good = works[0]->predict("ask", Matrix{{30, 1, 0}});
  const auto code = [&](const std::string& kind, const std::string& body) {
    const Consent consent = works[1]->consent(announced(0, {{kind, body}, good.roster}));
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
  // Somebody else's point is not for this agent's log.
  requests::Predict outside = body;
  outside.set_values(0, 123.456);
  const Consent consent =
      works[1]->consent(announced(0, {{"predict", outside.SerializeAsString()}, good.roster}));
  EXPECT_FALSE(says(consent.log, "123"));
}

// Nothing of a request's model is used unless its whole roster has sealed it.
TEST_F(Together, NobodysWordIsTakenForAModel) {
  start();
  run(0, works[0]->fit("ask"));
  const Asking good = works[0]->predict("ask", Matrix{{30, 1, 0}});
  const SealedModel held = works[0]->held()->sealed;
  const auto code = [&](const SealedModel& sealed) {
    requests::Predict body;
    body.ParseFromString(good.request.body);
    body.mutable_about()->set_digest(std::string(reinterpret_cast<const char*>(sealed.digest.data()), 32));
    body.mutable_about()->set_signed_model(to_bytes(sealed));
    const Consent consent =
        works[1]->consent(announced(0, {{"predict", body.SerializeAsString()}, good.roster}));
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
  EXPECT_EQ(code(other), ReasonCode::no_model);  // its own seal alone
  // Sealed by all, which no honest agent would: only what is plausible, and newer, and with known rows.
  other = held;
  other.model.version = 2;
  other.model.priors[0].noise = 1e-6;  // would show single rows
  EXPECT_EQ(code(seal_all(other)), ReasonCode::no_model);
  other = held;
  other.model.version = 2;
  EXPECT_EQ(code(seal_all(other)), ReasonCode::rows_changed);  // this agent has never signed it
  other = held;
  other.model.priors[0].noise *= 1.01;
  log.clear();
  EXPECT_EQ(code(seal_all(other)), ReasonCode::no_model);  // two of one version
  EXPECT_TRUE(logged("an agent has signed two"));
  std::filesystem::remove(state(1, "signed.json"));
  start();
  EXPECT_EQ(code(seal_all(other)), ReasonCode::no_model);  // by what it holds alone, too
  // Whatever comes with the digest of the model that is held is not looked at.
  other = held;
  other.model.priors[0].noise = 0.011;
  other.digest = held.digest;
  EXPECT_EQ(code(other), ReasonCode{});
  std::filesystem::remove(state(1, "model.json"));
  start();
  EXPECT_EQ(code(other), ReasonCode::no_model);
}

// Somebody who seals another model than the others have found is named, and nobody keeps anything.
TEST_F(Together, ASealOfAnotherModelEndsTheFit) {
  start();
  const Asking asking = works[0]->fit("ask");
  const tacit::Run all = announced(0, asking);
  tacit::Run bent = all;
  requests::Fit body;
  body.ParseFromString(asking.request.body);
  body.set_version(5);
  bent.request.body = body.SerializeAsString();
  Simulator simulator(paper.charter.graph(),
                      {.threads = 1, .seed = 1, .network = {}, .coalition = {}, .progress = nullptr});
  std::string said;
  try {
    simulator.run<std::string>(
        [&](Channel& net) { return works[net.self()]->program(net, net.self() == 2 ? bent : all); });
  } catch (const Error& e) {
    said = e.what();
  }
  EXPECT_TRUE(says(said, "agent-c has sealed another model")) << said;
  for (const auto& work : works) EXPECT_FALSE(work->held());
  EXPECT_EQ(works[1]->models().highest(), 1u);  // it has signed, and never will sign another version 1
}

TEST_F(Together, AnEditedModelFileIsSetAsideAndTheAgentStarts) {
  start();
  run(0, works[0]->fit("ask"));
  std::string text = read_whole(state(0, "model.json"));
  text[text.find('.', text.find("\"noise\"")) + 1] ^= 1;  // a digit of the number
  write_whole(state(0, "model.json"), text);
  start();
  EXPECT_FALSE(works[0]->held());
  EXPECT_TRUE(logged("model.json is not used and was renamed to *.set-aside"));
  EXPECT_TRUE(says(refusal([&] { works[0]->predict("ask", Matrix{{30, 1, 0}}); }), "run tacit fit first"));
  predict(1, Matrix{{30, 1, 0}});  // the others go on, and it takes theirs over
  EXPECT_TRUE(works[0]->held());
}

TEST_F(Together, TheLedgerRemembersEveryRun) {
  rules.a_day = {{RequestKind::evaluate, 1}};
  start();
  run(0, works[0]->fit("ask"));
  run(1, works[1]->predict("ask", Matrix{{30, 1, 0}, {40, 0, 1}}));
  const tacit::Run evaluation = announced(2, works[2]->evaluate("ask"));
  go(evaluation);
  EXPECT_THROW(go(evaluation), Error);  // the policy's limit: no data were used, nothing began
  for (const auto& work : works) {
    std::vector<LedgerLine> lines;
    const LedgerState state = read_ledger(work->material().state / "ledger.jsonl",
                                          [&](const LedgerLine& line) { lines.push_back(line); });
    EXPECT_EQ(state.broken, "");
    const bool asker =
        work->material().self == 2;  // the owner has no limit: it began, and ended with the others
    ASSERT_EQ(lines.size(), asker ? 8u : 6u);
    const SealedModel& sealed = work->held()->sealed;
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

// From what an agent holds: no other agent is there, nothing is charged, nothing is in the ledger.
TEST_F(Together, AnswersAtHomeNeedNobody) {
  rules.a_day = {{RequestKind::predict, 0}};
  start();
  const Matrix points{{30, 1, 0}, {60, 0, 1}};
  EXPECT_TRUE(says(refusal([&] { works[2]->predict_at_home(points); }), "run tacit fit first"));
  run(0, works[0]->fit("ask"));
  for (const AgentId i : {0, 1, 3}) works[i].reset();
  const std::uint64_t lines = works[2]->ledger().state().lines;
  const Work::AtHome answer = works[2]->predict_at_home(points);
  EXPECT_EQ(works[2]->ledger().state().lines, lines);
  EXPECT_EQ(answer.roster.size(), 4u);
  EXPECT_EQ(answer.notes, std::vector<std::string>{"answered at home; nobody was asked"});
  EXPECT_NEAR(answer.predicted.mean(0), 100 + 60 + 20 + 5, 6);
  const FittedModel& model = works[2]->held()->sealed.model;
  const ConsortiumPosterior plain =
      FittedExperts(terms_of(paper.charter), model, works[2]->material().data).at_home(points);
  EXPECT_EQ(answer.predicted.mean(1), plain.mean(1, 0));
  EXPECT_EQ(answer.predicted.latent_deviation(1), std::sqrt(plain.latent_variance(1, 0)));
  EXPECT_TRUE(says(refusal([&] { works[2]->predict_at_home(Matrix{{300, 1, 0}}); }), "range"));

  // What is taken away with the own rows says the same, to the bit.
  const auto file = paper.folder.path / "model.tacit";
  write_whole(file, works[2]->portable(true).to_file());
  const ConsortiumPosterior taken = PortableModel::load(file).predict(points);
  EXPECT_EQ(taken.mean(1, 0), answer.predicted.mean(1));
  EXPECT_EQ(std::sqrt(taken.observed_variance(0, 0)), answer.predicted.observed_deviation(0));
  EXPECT_EQ(works[2]->portable(false).rows, std::nullopt);

  data_seed = 50;
  start();
  EXPECT_TRUE(says(works[2]->predict_at_home(points).notes.at(1), "rows have changed since the fit"));
}

TEST_F(Together, WithoutLandmarksAtHomeIsOnesOwnRows) {
  paper.charter.model.landmarks.count = 0;
  start();
  run(0, works[0]->fit("ask"));
  const Work::AtHome answer = works[1]->predict_at_home(Matrix{{30, 1, 0}});
  EXPECT_EQ(answer.roster, std::vector<AgentId>{1});
  EXPECT_TRUE(says(answer.notes.at(0), "own rows alone, as the model has no landmarks"));
  EXPECT_TRUE(says(refusal([&] { works[1]->portable(false).to_file(); }), "--with-experts"));
}

// All have them from the fit. Requests carry their digest alone.
TEST_F(Together, TotalsAreKeptAtHomeAndDoNotTravel) {
  start();
  run(0, works[0]->fit("ask"));
  const SealedModel sealed = works[1]->held()->sealed;
  ASSERT_TRUE(sealed.model.pooled);
  EXPECT_EQ(sealed.model.pooled_name, name_of(*sealed.model.pooled));
  EXPECT_EQ(sealed.model.pooled->landmarks.rows(), 9);  // 9 · 12 / 2 of 80 · 3 / 4 numbers
  EXPECT_EQ(sealed_from_bytes(to_bytes(sealed), paper.charter).model.pooled, nullptr);
  const auto totals = [&](AgentId i) {
    std::vector<std::filesystem::path> found;
    for (const auto& entry : std::filesystem::directory_iterator(works[i]->material().state))
      if (says(entry.path().filename(), "pooled-")) found.push_back(entry.path());
    return found;
  };
  ASSERT_EQ(totals(1).size(), 1u);
  namespace fs = std::filesystem;
  EXPECT_EQ(fs::status(totals(1)[0]).permissions(), fs::perms::owner_read | fs::perms::owner_write);
  const Asking asking = works[0]->predict("ask", Matrix{{30, 1, 0}});
  start();
  EXPECT_EQ(name_of(*works[1]->held()->sealed.model.pooled), sealed.model.pooled_name);

  // Damaged or lost, the model is of no use, not even when somebody sends it along.
  std::string bytes = read_whole(totals(1)[0]);
  bytes[bytes.size() / 2] = static_cast<char>(bytes[bytes.size() / 2] ^ 1);
  write_whole(totals(1)[0], bytes, 0600);
  start();
  EXPECT_FALSE(works[1]->held());
  EXPECT_TRUE(logged("the file is damaged; run tacit fit again"));
  EXPECT_TRUE(refuses(1, 0, asking, ReasonCode::no_model, "the file is damaged"));
  fs::remove(totals(1)[0]);
  start();
  EXPECT_TRUE(refuses(1, 0, asking, ReasonCode::no_model, "a new fit is needed"));
  run(0, works[0]->fit("ask"));
  EXPECT_TRUE(works[1]->held());
  data_seed = 50;
  start();
  run(0, works[0]->fit("ask"));
  EXPECT_EQ(totals(1).size(), 1u);  // older ones are gone
}

// The same rows, roster and terms give the same totals to the bit, and count once. Other terms add up, also
// under another charter, until the owner's limit.
TEST_F(Together, FitsOnTheSameRowsAddUp) {
  const auto together = [&](AgentId i) {
    OpenedByFits fits;
    read_ledger(state(i, "ledger.jsonl"), [&](const LedgerLine& line) { fits.add(line); });
    return fits.on(fits.last_rows());
  };
  start();
  run(0, works[0]->fit("ask"));
  const PooledName first = *works[1]->held()->sealed.model.pooled_name;
  const OpenedTogether once = together(1);
  EXPECT_EQ(once.held, 80u * 3);
  EXPECT_GT(once.opened, 9u + 3 + 54);
  start();
  run(2, works[2]->fit("ask"));  // whoever asks
  EXPECT_EQ(works[1]->held()->sealed.model.version, 2u);
  EXPECT_EQ(works[1]->held()->sealed.model.pooled_name, first);
  EXPECT_EQ(together(1).opened, once.opened);

  paper.charter.model.landmarks.count = 7;
  start();
  run(0, works[0]->fit("ask"));
  EXPECT_EQ(together(1).opened, once.opened + once.opened - 54 + 35);
  ASSERT_GT(together(1).opened, together(1).held);
  rules.most_opened = 10;
  start();
  Asking asking = works[0]->fit("ask");
  EXPECT_FALSE(works[1]->consent(announced(0, asking)).refusal);
  rules.most_opened = 1;
  start();
  EXPECT_TRUE(refuses(1, 0, asking, ReasonCode::opened_enough, "240 that the rows of all agents hold"));
  EXPECT_TRUE(says(refusal([&] { works[1]->fit("ask"); }), "no fit until its rows have changed"));
  EXPECT_EQ(works[1]->predict_at_home(Matrix{{30, 1, 0}}).predicted.points(), 1u);
  data_seed = 50;
  start();
  run(0, works[0]->fit("ask"));
  EXPECT_LT(together(1).opened, together(1).held);
}

// A fit that would open too much ends before its sum over landmarks.
TEST_F(Together, AFitThatWouldOpenTooMuchOpensNothingOfLandmarks) {
  rules.most_opened = 0.2;
  start();
  EXPECT_TRUE(says(refusal([&] { run(0, works[0]->fit("ask")); }),
                   "more, and its policy allows 48 (0.2 times the 240 that the rows of all agents hold"));
  std::uint64_t opened = 0;
  read_ledger(state(1, "ledger.jsonl"),
              [&](const LedgerLine& line) { opened = std::max(opened, line.opened); });
  EXPECT_LT(opened, 54u) << "9 landmarks open 54 numbers";
  EXPECT_FALSE(works[1]->held());
}

TEST_F(Together, RowsOutsideTheCharterAreNamed) {
  const auto file = paper.folder.write("bad.csv",
                                       "y,age,sex \\ gender\n1,20,f\n2,130,m\n3,40,x\n400,50,f\n"
                                       "1,-1,f\n1,200,f\n1,121,m\n");
  const AgentRows read = read_rows({file}, paper.charter);
  const auto said = read.bad.sentences(true), quietly = read.bad.sentences(false);
  ASSERT_EQ(said.size(), 3u);
  EXPECT_TRUE(says(said[0],
                   "bad.csv, column \"age\": 4 cells are outside the charter's range 0 to 120 (\"130\" in "
                   "line 3, \"-1\" in line 6, \"200\" in line 7, ...); the column goes from -1 to 200."))
      << said[0];
  EXPECT_TRUE(says(said[1],
                   "line 4, column \"sex \\\\ gender\": the cell \"x\" is not among the charter's levels; "
                   "the column also has \"x\"."))
      << said[1];
  EXPECT_TRUE(
      says(said[2], "line 5, column \"y\": the cell \"400\" is outside the charter's range -1.5 to 346.25"));
  EXPECT_TRUE(
      says(quietly[0], "4 cells are outside the charter's range 0 to 120 (line 3, line 6, line 7, ...)."));
  EXPECT_TRUE(says(quietly[2], "line 5, column \"y\": the cell is outside"));
  for (const std::string& one : quietly)
    for (const char* value : {"400", "200", "-1 ", "\"x\""}) EXPECT_FALSE(says(one, value)) << one;
  EXPECT_EQ(read.rows.inputs(0, 1), 1);
  EXPECT_TRUE(
      says(refusal([&] { read_rows({paper.folder.write("c.csv", "y,age\n1,2\n")}, paper.charter); }), "sex"));
  paper.charter.protocol.rows = 3;
  EXPECT_TRUE(says(refusal([&] { read_rows({file}, paper.charter); }), "protocol.most_rows"));
}

TEST_F(Together, PreflightFindsWhatIsWrong) {
  paper.sign_all();
  AgentConfig config;
  config.charter = paper.folder.write("charter.toml", to_toml(paper.charter));
  config.identity = paper.folder.path / "agent-b";
  config.data.rows.file = paper.folder.write("b.csv", rows_csv(10, 3));
  config.listen = "127.0.0.1:7501";
  config.state = paper.folder.path / "state";
  const auto errors = [&](bool in_log = false) {
    std::string all;
    const Preflight report = preflight(config);
    for (const Finding& finding : report.findings)
      if (finding.kind == Finding::Kind::error) all += (in_log ? finding.log : finding.text) + "\n";
    EXPECT_EQ(report.sound(), all.empty());
    EXPECT_EQ(report.material.has_value(), all.empty());
    return all;
  };
  EXPECT_EQ(errors(), "");
  EXPECT_EQ(preflight(config).material->self, 1u);
  config.data.holdout = RowSource{paper.folder.write("held.csv", "y,age,sex \\ gender\n1,200,f\n")};
  EXPECT_TRUE(says(errors(), "held.csv, line 2, column \"age\": the cell \"200\" is outside"));
  EXPECT_TRUE(says(errors(true), "held.csv, line 2, column \"age\""));
  EXPECT_FALSE(says(errors(true), "200"));  // no cell's value is logged
  config.data.holdout = RowSource{paper.folder.write("held.csv", "y,age,sex \\ gender\n1,4711?,f\n")};
  EXPECT_TRUE(says(errors(), "4711?"));
  EXPECT_TRUE(says(errors(true), "held.csv, line 2, column \"age\": the cell has something besides"))
      << errors(true);
  EXPECT_FALSE(says(errors(true), "4711"));
  config.data.holdout.reset();
  config.data.rows.file = paper.folder.path / "nothing.csv";
  EXPECT_TRUE(says(errors(), "nothing.csv"));
  config.data.rows.file = paper.folder.path / "b.csv";
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
  EXPECT_TRUE(says(errors(), "not signed by agent-c"));
  // Before all have signed, everything else can be checked.
  const auto awaited = [&] { return preflight(config, Signing::awaited); };
  EXPECT_TRUE(awaited().sound());
  EXPECT_FALSE(awaited().material);
  config.data.rows.file = paper.folder.write("old.csv", "y,age,sex \\ gender\n1,200,f\n");
  EXPECT_FALSE(awaited().sound());
  config.data.rows.file = paper.folder.path / "b.csv";
  paper.charter.signatures["agent-c"] = paper.charter.signatures["agent-a"];
  paper.folder.write("charter.toml", to_toml(paper.charter));
  EXPECT_FALSE(awaited().sound());
  EXPECT_TRUE(says(errors(), "the signature of agent-c is void"));
}

TEST(Reachable, TellsOpenPortsFromClosedOnes) {
  EXPECT_FALSE(reachable("127.0.0.1:1", std::chrono::milliseconds(500)));
  EXPECT_FALSE(reachable("no-such-host.invalid:1", std::chrono::milliseconds(500)));
}

}  // namespace
}  // namespace tacit
