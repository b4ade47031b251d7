// Attacks that succeeded against earlier agents, here against real processes. Agents a, b and c are honest.
// This test is agent d: it has d's keys and files, communicates over real links, and deviates from the
// protocol.
#include <future>

#include "agents_testing.hpp"
#include "tacit/agent/daemon/daemon.hpp"
#include "tacit/agent/daemon/preflight.hpp"
#include "tacit/agent/model/model.hpp"
#include "tacit/agent/model/model.pb.h"
#include "tacit/agent/model/sealing.hpp"
#include "tacit/agent/work/requests.pb.h"
#include "tacit/charter/terms.hpp"
#include "tacit/consortium/terms/public_facts.hpp"
#include "tacit/link/node/hostile_testing.hpp"
#include "tacit/link/node/node.hpp"
#include "tacit/protocol/tampering_testing.hpp"

namespace tacit::testing {
namespace {

using Bytes = TamperingChannel::Bytes;
using Instead = TamperingChannel::Instead;
using Tamper = std::function<std::optional<Instead>(TamperingChannel&, AgentId, const Tag&, const Bytes&)>;

class Attacks : public Consortium {
 protected:
  static constexpr AgentId self = 3;
  const std::vector<AgentId> all{0, 1, 2, 3};
  std::optional<AgentKeys> keys;
  std::optional<AgentConfig> config;
  std::optional<Preflight> found;
  std::unique_ptr<Policy> own_policy;
  std::unique_ptr<RunHandler> handler;
  std::unique_ptr<Node> node;
  Tamper tamper;  ///< may change d's messages

  Attacks() {
    policy = "[policy]\nfewest_agents = 3\nwithout = [\"d\"]\nmost_opened = 10.0\n";
    agreed.insert(agreed.end(), {"--collusion", "1"});
    changed = {{"silence = 300", "silence = 20"}};
  }

  void SetUp() override {
    Consortium::SetUp();
    for (std::size_t i = 0; i < 3; ++i) start(i);
    config = read_agent_config(at("d", "agent.toml"));
    found = preflight(*config);
    ASSERT_TRUE(found->sound());
  }

  NodeOptions options() {
    NodeOptions options =
        node_options(*config, *found->material, *found->keys, [](LogLevel, const std::string&) {});
    options.most_request_bytes = std::size_t{1} << 30;  // d may send requests of any size
    return options;
  }
  void wait_for_honest_agents() {
    for (std::size_t i = 0; i < 3; ++i)
      ASSERT_TRUE(wait_until([&] { return neighbours_up(i) == 2; })) << log(i);
  }

  // d runs the agent's own program, but `tamper` may change its messages, and d accepts its own requests
  // without a check.
  void join() {
    own_policy = std::make_unique<Policy>(config->policy, "d", config->state / "policy.json");
    handler = std::make_unique<RunHandler>(*found->material, found->keys->identity, *own_policy,
                                           [](LogLevel, const std::string&) {});
    NodeProgram program;
    program.program = [this](tacit::Run& net, const RunDescription& run) -> Task<std::string> {
      TamperingChannel* mine = nullptr;
      TamperingChannel channel(net, [&](AgentId to, const Tag& tag, const Bytes& bytes) {
        return tamper ? tamper(*mine, to, tag, bytes) : std::nullopt;
      });
      mine = &channel;
      tacit::Run tampered = channel.run();
      co_return co_await handler->program(tampered, run);
    };
    node = std::make_unique<Node>(options(), program);
    ASSERT_TRUE(node->wait_for_links(std::chrono::seconds(60)));
    for (std::size_t i = 0; i < 3; ++i)
      ASSERT_TRUE(wait_until([&] { return neighbours_up(i) == 3; })) << log(i);
  }
  void fit() {
    const Output output = ask(0, {"fit"});
    ASSERT_EQ(output.exit_code, 0) << output.err;
    ASSERT_TRUE(wait_until([&] { return !handler->doing(); })) << "d did not finish the fit";
  }
  RunOutcome run(const OwnRequest& asking) { return node->ask(asking.request, asking.roster).get(); }
  OwnRequest predicting() { return handler->predict("ask", Matrix{{-3}, {4.5}}); }
  std::string model_of(std::size_t i) const { return content(at(names[i], "state/model.json")); }
  bool any_agent_logs(const std::string& words) {
    return wait_until([&] {
      for (std::size_t i = 0; i < 3; ++i)
        if (log(i).find(words) != std::string::npos) return true;
      return false;
    });
  }
  std::string logs() { return log(0) + log(1) + log(2); }
  void expect_all_running() {
    for (std::size_t i = 0; i < 3; ++i) EXPECT_TRUE(agents[i]->running()) << names[i] << ": " << log(i);
  }
};

// The request contains a model with noise and length-scale at their floors. It revealed all targets.
TEST_F(Attacks, AModelOfItsOwnInTheRequest) {
  join();
  fit();
  const std::vector<std::string> before{model_of(0), model_of(1), model_of(2)};
  const OwnRequest honest = predicting();
  ASSERT_TRUE(run(honest).done);

  requests::Predict body;
  ASSERT_TRUE(body.ParseFromString(honest.request.body));
  requests::SignedModel sealed;
  ASSERT_TRUE(sealed.ParseFromString(body.about().signed_model()));
  const auto forged = [&](bool own_seal, bool own_digest, bool newer) {
    requests::SignedModel other = sealed;
    requests::Model& model = *other.mutable_model();
    model.mutable_priors(0)->set_noise(0.05);
    const std::vector<double> numbers{0.1, 1};
    model.mutable_priors(0)->mutable_numbers()->Assign(numbers.begin(), numbers.end());
    if (newer) model.set_version(model.version() + 1);
    requests::Predict request = body;
    FittedModel lie = handler->held()->sealed.model;
    lie.priors[0] = {parse_kernel("se(lengthscale=0.1, signal=1)"), 0.05};
    lie.version = model.version();
    const Digest digest = digest_of(lie);
    if (own_seal) {
      const Seal seal = make_seal(digest, self, value_at<Digest>(bytes_of(other.seals(3).commitment())),
                                  found->keys->identity);
      other.mutable_seals(3)->set_signature(seal.signature.data(), seal.signature.size());
    }
    request.mutable_about()->set_signed_model(other.SerializeAsString());
    if (own_digest) request.mutable_about()->set_digest(digest.data(), digest.size());
    return OwnRequest{{honest.request.kind, request.SerializeAsString()}, honest.roster};
  };
  for (const bool own_seal : {false, true})
    for (const bool newer : {false, true}) {
      const RunOutcome outcome = run(forged(own_seal, true, newer));
      EXPECT_FALSE(outcome.done);
      ASSERT_TRUE(outcome.refusal) << outcome.error;
      EXPECT_EQ(outcome.refusal->code, ReasonCode::no_model) << outcome.error;
    }
  // Under the digest of the true model the forged one is ignored: every agent uses its own copy.
  for (std::size_t i = 0; i < 3; ++i) EXPECT_EQ(model_of(i), before[i]);
  EXPECT_TRUE(run(honest).done);
  expect_all_running();
}

// One agent receives the real points, the others receive different ones, under one signed name.
TEST_F(Attacks, TwoRequestsUnderOneName) {
  join();
  fit();
  const OwnRequest honest = predicting();
  node.reset();
  requests::Predict body;
  ASSERT_TRUE(body.ParseFromString(honest.request.body));
  requests::Predict far = body;
  for (double& value : *far.mutable_values()) value = 10;
  wait_for_honest_agents();
  Hostile to_victim(options(), 0), to_other(options(), 1);
  ASSERT_TRUE(to_victim.join());
  ASSERT_TRUE(to_other.join());
  Announced one = signed_run(to_victim.options(), all, body.SerializeAsString());
  one.run.request.kind = "predict";
  one = announce(one.run, to_victim.options());
  RunDescription other = one.run;
  other.request.body = far.SerializeAsString();
  to_victim.announce(one);
  to_other.announce(announce(other, to_other.options()));
  EXPECT_TRUE(any_agent_logs("agent 3 (d) sent two different announcements of one run")) << logs();
  expect_all_running();
}

// Points at which the other agents have no rows and contribute nothing.
TEST_F(Attacks, PointsFarAway) {
  join();
  fit();
  OwnRequest asking = predicting();
  requests::Predict body;
  ASSERT_TRUE(body.ParseFromString(asking.request.body));
  for (double& value : *body.mutable_values()) value = 1e9;
  asking.request.body = body.SerializeAsString();
  const RunOutcome outcome = run(asking);
  ASSERT_TRUE(outcome.refusal);
  EXPECT_EQ(outcome.refusal->code, ReasonCode::outside_agreement);
  EXPECT_EQ(outcome.error.find("1000000000"), std::string::npos) << "the refusal quotes the request";
}

// In a fit that d asks for, one agent receives a different trial from the others. Or all receive a trial that
// does not follow from the totals, which revealed likelihoods at hundreds of chosen points.
TEST_F(Attacks, OtherTrialsInAFit) {
  join();
  std::size_t notices = 0;
  tamper = [&](TamperingChannel& net, AgentId to, const Tag& tag,
               const Bytes& message) -> std::optional<Instead> {
    if (tag.step != Step::notice || tag.about != self || ++notices < 4 || to != 0) return std::nullopt;
    return Instead{{tag, net.signed_again(tag, message, [](Bytes& content) { content[0] ^= std::byte{1}; })}};
  };
  EXPECT_FALSE(run(handler->fit("ask")).done);
  EXPECT_TRUE(any_agent_logs("another transcript of this run") ||
              any_agent_logs("does not follow from the totals"))
      << logs();
  tamper = [&](TamperingChannel& net, AgentId, const Tag& tag,
               const Bytes& message) -> std::optional<Instead> {
    if (tag.step != Step::notice || tag.about != self) return std::nullopt;
    return Instead{
        {tag, net.signed_again(tag, message, [](Bytes& content) { content[2] ^= std::byte{0xff}; })}};
  };
  EXPECT_FALSE(run(handler->fit("ask")).done);
  EXPECT_TRUE(any_agent_logs("agent 3 published a trial that does not follow from the totals")) << logs();
  for (std::size_t i = 0; i < 3; ++i) EXPECT_FALSE(std::filesystem::exists(at(names[i], "state/model.json")));
  expect_all_running();
}

// One agent receives different masked values from the others, so the victim computes a different total.
TEST_F(Attacks, OtherTotalsForOneAgent) {
  join();
  tamper = [&](TamperingChannel& net, AgentId to, const Tag& tag,
               const Bytes& message) -> std::optional<Instead> {
    if (tag.step != Step::vector || tag.about != self || to != 1) return std::nullopt;
    return Instead{
        {tag, net.signed_again(tag, message, [](Bytes& content) { content.back() ^= std::byte{1}; })}};
  };
  EXPECT_FALSE(run(handler->fit("ask")).done);
  EXPECT_TRUE(any_agent_logs("masked vector of agent 3 than the one that agent 3 signed")) << logs();
  expect_all_running();
}

// Replaces d's part of the second sum, the squares for standardisation, by a chosen one.
class LyingSum final : public SecureSum {
 public:
  LyingSum(const SecureSum& honest, Values squares) : honest_(honest), squares_(std::move(squares)) {}
  Task<Values> sum(tacit::Run& net, Values mine, SumRange range) const override {
    if (++sums_ == 2) mine = squares_;
    return honest_.sum(net, std::move(mine), range);
  }
  SumPlan plan(const SumShape& shape) const override { return honest_.plan(shape); }
  bool same_for_all() const override { return honest_.same_for_all(); }

 private:
  const SecureSum& honest_;
  const Values squares_;
  mutable int sums_ = 0;
};

// d knows the others' sum of squares from an earlier fit and adds nearly its negative. The scale of the
// inputs becomes so small that rows no longer influence each other. A prediction at a patient's inputs then
// reveals the patient's target.
class WithoutLandmarks : public Attacks {
 protected:
  WithoutLandmarks() { agreed.insert(agreed.end(), {"--landmarks", "0", "--fusion", "poe"}); }
};

TEST_F(WithoutLandmarks, ALieAboutSquaresDoesNotSetRowsApart) {
  join();
  fit();
  const Charter& charter = found->material->charter;
  const Terms terms = terms_of(charter);
  const Samples& rows = *found->material->data->here();
  const Standardisation before = *handler->held()->sealed.model.standardisation;
  const auto n = static_cast<double>(before.rows);
  const auto squares = [&](const Matrix& own, const Scaling& scaling, double half, bool lie) {
    const double mine = (own.array() - scaling.shift(0)).square().sum() / (half * half);
    const double total = n * std::pow(scaling.scale(0) / half, 2);
    return lie ? 1e-8 - (total - mine) : mine;
  };
  const Values lies{squares(rows.inputs, before.inputs, 10, true),
                    squares(rows.outputs, before.outputs, 50, false)};
  const OwnRequest asking = handler->fit("ask");
  requests::Fit body;
  ASSERT_TRUE(body.ParseFromString(asking.request.body));
  node.reset();
  ModelStore models(config->state, charter, terms, self, *found->material->data, found->material->holdout,
                    [](LogLevel, const std::string&) {});
  NodeProgram program;
  program.program = [&](tacit::Run& net, const RunDescription& run) -> Task<std::string> {
    const Asked asked{run.originator, 3};
    const auto sums = make_sums(terms, asked);
    const LyingSum lying(*sums, lies);
    FittedModel model;
    model.standardisation = co_await standardise_privately(net, lying, column_facts(terms),
                                                           *crew_of(rows, terms.model.committee));
    const Samples standard = model.standard(rows);
    ExactTuneOptions search = *terms.tuning.search;
    search.originator = run.originator;
    const LocalExperts experts(standard, terms.model.committee, 1);
    Priors start(1, checked_prior(terms.model.start, 1));
    const TuneFacts facts = tune_facts(terms, model.standardisation);
    const ExactTuning tuned = co_await tune_exactly(net, *sums, facts, search, experts, start, {});
    model.priors = tuned.best.priors;
    model.likelihood = tuned.best.likelihood;
    model.evaluations = tuned.trials.size();
    model.version = body.version();
    model.fit = body.fit();
    model.charter = charter_hash(charter);
    model.fitted_at = body.fitted_at();
    model.originator = run.originator;
    model.roster = run.roster;
    model.transcript = net.transcript().now();
    models.keep(co_await seal_together(net, charter, terms, found->keys->identity, models, std::move(model)));
    co_return "";
  };
  node = std::make_unique<Node>(options(), program);
  ASSERT_TRUE(node->wait_for_links(std::chrono::seconds(60)));
  const RunOutcome lied = run(asking);
  node.reset();
  ASSERT_TRUE(lied.done) << lied.error << logs();
  join();
  const FittedModel& model = handler->held()->sealed.model;
  const Scaling& z = model.standardisation->outputs;
  std::size_t read = 0;
  for (int k = 0; k < 25; ++k) {  // rows of a, as Consortium::SetUp makes them
    const double x = -9 + 0.7 * k, truth = 50 + 3 * x + (k * 7) % 5;
    const RunOutcome outcome = run(handler->predict("ask", Matrix{{std::stod(std::to_string(x))}}));
    ASSERT_TRUE(outcome.done) << outcome.error;
    requests::Predicted answer;
    ASSERT_TRUE(answer.ParseFromString(outcome.result));
    const double mean = (answer.mean(0) - z.shift(0)) / z.scale(0),
                 variance = answer.latent_variance(0) / std::pow(z.scale(0), 2);
    const double guess = z.shift(0) + z.scale(0) * mean / variance * std::pow(model.priors[0].noise, 2);
    read += std::abs(guess - truth) < 0.01 ? 1 : 0;
  }
  EXPECT_LT(read, 3u) << "of 25 targets of a; inputs' scale " << model.standardisation->inputs.scale(0);
}

// The difference between the answers with and without an agent would be that agent's contribution.
TEST_F(Attacks, RostersOfItsOwnChoice) {
  join();
  fit();
  OwnRequest asking = predicting();
  for (const std::vector<AgentId>& roster : {std::vector<AgentId>{0, 1, 3}, {0, 2, 3}, {0, 3}}) {
    asking.roster = roster;
    const RunOutcome outcome = run(asking);
    EXPECT_FALSE(outcome.done);
    ASSERT_TRUE(outcome.refusal) << outcome.error;
    EXPECT_EQ(outcome.refusal->code, ReasonCode::other_roster) << outcome.error;
  }
  // A fit without b, which no policy allows: without naming b, then naming b.
  requests::Fit body;
  ASSERT_TRUE(body.ParseFromString(handler->fit("ask").request.body));
  RunOutcome outcome = run({{"fit", body.SerializeAsString()}, {0, 2, 3}});
  ASSERT_TRUE(outcome.refusal) << outcome.error;
  EXPECT_EQ(outcome.refusal->code, ReasonCode::other_roster);
  body.add_without("b");
  outcome = run({{"fit", body.SerializeAsString()}, {0, 2, 3}});
  ASSERT_TRUE(outcome.refusal) << outcome.error;
  EXPECT_EQ(outcome.refusal->code, ReasonCode::not_without);
}

// A member gains nothing by falling silent during a sum or by reporting another member as lost: the run ends,
// and the agents do not repeat it with fewer members.
TEST_F(Attacks, ARunThatEndsIsNotTriedAgainWithFewer) {
  join();
  fit();
  tamper = [](TamperingChannel&, AgentId, const Tag& tag, const Bytes&) -> std::optional<Instead> {
    if (tag.step == Step::self_mask) throw Error("d keeps its self-mask");
    return std::nullopt;
  };
  const Output output = ask(0, {"predict", "--together", "--input", folder.path("points.csv")});
  EXPECT_EQ(output.exit_code, 1);
  EXPECT_NE(output.err.find("agent 3 (d) ended the run"), std::string::npos) << output.err;
  EXPECT_EQ(output.err.find("keeps its self-mask"), std::string::npos)
      << "d's error text reached another agent";
  const Output ledger = ask(1, {"ledger", "--json"});
  ASSERT_EQ(ledger.exit_code, 0) << ledger.err;
  EXPECT_NE(ledger.out.find("failed"), std::string::npos) << ledger.out;
}

// Fields with deeply nested text, a kernel of twenty thousand numbers, and hundreds of thousands of bytes of
// rubbish.
TEST_F(Attacks, RubbishInEveryField) {
  join();
  fit();
  const OwnRequest honest = predicting();
  requests::Predict body;
  ASSERT_TRUE(body.ParseFromString(honest.request.body));
  std::string nested, kernels = "se";
  for (int k = 0; k < 30'000; ++k) nested += "[{\"a\":";
  for (int k = 0; k < 20'000; ++k) kernels += "+se";
  std::vector<requests::Predict> bodies;
  for (const std::string& rubbish : {nested, kernels, std::string(300'000, '\x1b'), std::string(65, '\0')}) {
    bodies.emplace_back(body).mutable_about()->set_signed_model(rubbish);
    bodies.back().mutable_about()->set_digest(std::string(32, 'x'));
    bodies.emplace_back(body).mutable_about()->set_digest(rubbish);
    bodies.emplace_back(body).set_ask(rubbish);
    requests::SignedModel sealed;
    sealed.ParseFromString(body.about().signed_model());
    auto& numbers = *sealed.mutable_model()->mutable_priors(0)->mutable_numbers();
    const requests::Prior honest_prior = sealed.model().priors(0);
    numbers.Resize(20'000, static_cast<double>(rubbish[0]));
    bodies.emplace_back(body).mutable_about()->set_signed_model(sealed.SerializeAsString());
    bodies.back().mutable_about()->set_digest(std::string(32, 'y'));
    sealed.mutable_model()->set_fitted_at(rubbish);
    *sealed.mutable_model()->mutable_priors(0) = honest_prior;
    bodies.emplace_back(body).mutable_about()->set_signed_model(sealed.SerializeAsString());
    bodies.back().mutable_about()->set_digest(std::string(32, 'z'));
  }
  for (const requests::Predict& one : bodies)
    (void)run({{"predict", one.SerializeAsString()}, honest.roster});
  for (const std::string& rubbish : {nested, std::string(300'000, '\0')}) {
    (void)run({{"predict", rubbish}, honest.roster});
    (void)run({{"fit", rubbish}, honest.roster});
    (void)run({{"evaluate", rubbish}, honest.roster});
  }
  expect_all_running();
  EXPECT_EQ(logs().find('\x1b'), std::string::npos) << "logs contain control characters of a peer";
  EXPECT_EQ(ask(1, {"fit", "--without", "d"}).exit_code, 0);
}

// d delays its seal for c, so the fit ends later at c than at the asker a. A request to c in between is about
// the new model.
TEST_F(Attacks, ASealThatComesLateIsWaitedFor) {
  join();
  std::promise<void> asked;
  const auto until = asked.get_future().share();
  tamper = [until](TamperingChannel&, AgentId to, const Tag& tag, const Bytes&) -> std::optional<Instead> {
    if (tag.step == Step::seal && to == 2) until.wait_for(std::chrono::minutes(1));
    return std::nullopt;
  };
  const Output fitted = run_tacit({"fit", "--agent", folder.path("a")});
  ASSERT_EQ(fitted.exit_code, 0) << fitted.err;
  EXPECT_EQ(status(2)["running"], "sealing the model");
  auto answer = std::async(std::launch::async, [&] {
    return ask(2, {"predict", "--input", folder.path("points.csv")});
  });
  answer.wait_for(std::chrono::milliseconds(500));  // c may answer only after it has the model
  asked.set_value();
  const Output output = answer.get();
  EXPECT_EQ(output.exit_code, 0) << output.err;
}

// Successive announcements of 40 MiB. Thirty queued behind a slow one took 1.6 GB of memory.
TEST_F(Attacks, AFloodOfBigRequests) {
  wait_for_honest_agents();
  for (int k = 0; k < 5; ++k) {
    Hostile peer(options(), 0);
    if (!peer.join()) continue;
    const Announced big = signed_run(peer.options(), all, std::string(40u << 20, 'x'));
    peer.announce(big);
    EXPECT_TRUE(peer.is_closed());
  }
  EXPECT_TRUE(any_agent_logs("agent 3 (d)")) << logs();
  expect_all_running();
  EXPECT_EQ(ask(0, {"fit", "--without", "d"}).exit_code, 0) << log(0);
}

// d announces runs repeatedly and never starts them.
TEST_F(Attacks, RunsThatNeverStart) {
  wait_for_honest_agents();
  Hostile peer(options(), 0);
  ASSERT_TRUE(peer.join());
  for (int k = 0; k < 3; ++k) {
    RunDescription one = signed_run(peer.options(), {0, 1, 2, 3}, "").run;
    one.request.kind = "fit";
    peer.announce(announce(one, peer.options()));
  }
  const Output output = ask(1, {"fit", "--without", "d"});
  EXPECT_EQ(output.exit_code, 0) << output.err << logs();
  expect_all_running();
}

}  // namespace
}  // namespace tacit::testing
