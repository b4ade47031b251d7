// Agents with landmarks: answers at home, stored totals, and the numbers that fits open in total.
#include <gtest/gtest.h>

#include <cmath>

#include "tacit/agent/work/run_handler_testing.hpp"
#include "tacit/base/system/files.hpp"
#include "tacit/identity/encoding.hpp"

namespace tacit {
namespace {

using namespace testing;

class AtHome : public ::testing::Test, public WorkingConsortium {};

// Without other agents, without charging the policy, and without a ledger line.
TEST_F(AtHome, AnswersAtHomeNeedNoOtherAgent) {
  rules.a_day = {{RequestKind::predict, 0}};
  start();
  const Matrix points{{30, 1, 0}, {60, 0, 1}};
  EXPECT_TRUE(says(refusal([&] { handlers[2]->predict_at_home(points); }), "run tacit fit first"));
  run(0, handlers[0]->fit("ask"));
  for (const AgentId i : {0, 1, 3}) handlers[i].reset();
  const std::uint64_t lines = handlers[2]->ledger().state().lines;
  const RunHandler::AtHome answer = handlers[2]->predict_at_home(points);
  EXPECT_EQ(handlers[2]->ledger().state().lines, lines);
  EXPECT_EQ(answer.roster.size(), 4u);
  EXPECT_EQ(answer.notes, std::vector<std::string>{"answered at home; no other agent was asked"});
  EXPECT_NEAR(answer.predicted.mean(0), 100 + 60 + 20 + 5, 6);
  const FittedModel& model = handlers[2]->held()->sealed.model;
  const Prediction plain =
      FittedExperts(terms_of(paper.charter), model, *handlers[2]->material().data->here()).at_home(points);
  EXPECT_EQ(answer.predicted.mean(1), plain.mean(1, 0));
  EXPECT_EQ(answer.predicted.latent_variance(1), plain.latent_variance(1, 0));
  EXPECT_TRUE(says(refusal([&] { handlers[2]->predict_at_home(Matrix{{300, 1, 0}}); }), "range"));

  // The exported model with the agent's own rows gives the same bits.
  const auto file = paper.folder.path / "model.tacit";
  write_whole(file, handlers[2]->portable(true).to_file());
  const Prediction taken = PortableModel::load(file).predict(points);
  EXPECT_EQ(taken.mean(1, 0), answer.predicted.mean(1));
  EXPECT_EQ(taken.observed_variance(0, 0), answer.predicted.observed_variance(0));
  EXPECT_EQ(handlers[2]->portable(false).rows, std::nullopt);

  data_seed = 50;
  start();
  EXPECT_TRUE(says(handlers[2]->predict_at_home(points).notes.at(1), "rows have changed since the fit"));
}

TEST_F(AtHome, WithoutLandmarksAtHomeIsOnesOwnRows) {
  paper.charter.model.landmarks.count = 0;
  start();
  run(0, handlers[0]->fit("ask"));
  const RunHandler::AtHome answer = handlers[1]->predict_at_home(Matrix{{30, 1, 0}});
  EXPECT_EQ(answer.roster, std::vector<AgentId>{1});
  EXPECT_TRUE(says(answer.notes.at(0), "own rows, because the model has no landmarks"));
  EXPECT_TRUE(says(refusal([&] { handlers[1]->portable(false).to_file(); }), "`with_experts`"));
}

// All agents have the totals from the fit. Requests contain only their digest.
TEST_F(AtHome, TotalsAreKeptAtHomeAndDoNotTravel) {
  start();
  run(0, handlers[0]->fit("ask"));
  const SealedModel sealed = handlers[1]->held()->sealed;
  ASSERT_TRUE(sealed.model.pooled);
  EXPECT_EQ(sealed.model.pooled_name, name_of(*sealed.model.pooled));
  EXPECT_EQ(sealed.model.pooled->landmarks.rows(), 9);  // 9 · 12 / 2 of 80 · 3 / 4 numbers
  EXPECT_EQ(sealed_from_bytes(to_bytes(sealed), paper.charter, terms_of(paper.charter)).model.pooled,
            nullptr);
  const auto totals = [&](AgentId i) {
    std::vector<std::filesystem::path> found;
    for (const auto& entry : std::filesystem::directory_iterator(handlers[i]->material().state))
      if (says(entry.path().filename(), "pooled-")) found.push_back(entry.path());
    return found;
  };
  ASSERT_EQ(totals(1).size(), 1u);
  namespace fs = std::filesystem;
  EXPECT_EQ(fs::status(totals(1)[0]).permissions(), fs::perms::owner_read | fs::perms::owner_write);
  const OwnRequest asking = handlers[0]->predict("ask", Matrix{{30, 1, 0}});
  start();
  EXPECT_EQ(name_of(*handlers[1]->held()->sealed.model.pooled), sealed.model.pooled_name);

  // If the totals are damaged or lost, the model cannot be used, not even if a request contains it.
  std::string bytes = read_whole(totals(1)[0]);
  bytes[bytes.size() / 2] = static_cast<char>(bytes[bytes.size() / 2] ^ 1);
  write_whole(totals(1)[0], bytes, 0600);
  start();
  EXPECT_FALSE(handlers[1]->held());
  EXPECT_TRUE(logged("the file is damaged; run tacit fit again"));
  EXPECT_TRUE(refuses(1, 0, asking, ReasonCode::no_model, "the file is damaged"));
  fs::remove(totals(1)[0]);
  start();
  EXPECT_TRUE(refuses(1, 0, asking, ReasonCode::no_model, "does not have the landmark totals of the model"));
  run(0, handlers[0]->fit("ask"));
  EXPECT_TRUE(handlers[1]->held());
  data_seed = 50;
  start();
  run(0, handlers[0]->fit("ask"));
  EXPECT_EQ(totals(1).size(), 1u);  // older totals are deleted
}

// The same rows, roster and terms give the same totals to the bit, and count once. Other terms add up to the
// owner's limit, also over charters.
TEST_F(AtHome, FitsOnTheSameRowsAddUp) {
  const auto together = [&](AgentId i) {
    OpenedCounter fits;
    read_ledger(state(i, "ledger.jsonl"), [&](const LedgerLine& line) { fits.add(line); });
    return fits.on(fits.last_rows());
  };
  start();
  run(0, handlers[0]->fit("ask"));
  const PooledName first = *handlers[1]->held()->sealed.model.pooled_name;
  const OpenedCount once = together(1);
  EXPECT_EQ(once.held, 80u * 3);
  EXPECT_GT(once.opened, 9u + 3 + 54);
  start();
  run(2, handlers[2]->fit("ask"));  // another asker
  EXPECT_EQ(handlers[1]->held()->sealed.model.version, 2u);
  EXPECT_EQ(handlers[1]->held()->sealed.model.pooled_name, first);
  EXPECT_EQ(together(1).opened, once.opened);

  paper.charter.model.landmarks.count = 7;
  start();
  run(0, handlers[0]->fit("ask"));
  EXPECT_EQ(together(1).opened, once.opened + once.opened - 54 + 35);
  ASSERT_GT(together(1).opened, together(1).held);
  rules.most_opened = 10;
  start();
  OwnRequest asking = handlers[0]->fit("ask");
  EXPECT_FALSE(handlers[1]->consent(announced(0, asking)).refusal);
  rules.most_opened = 1;
  start();
  EXPECT_TRUE(refuses(1, 0, asking, ReasonCode::opened_enough, "240 that the rows of all agents hold"));
  EXPECT_TRUE(
      says(refusal([&] { handlers[1]->fit("ask"); }), "No fit is possible until its rows have changed"));
  EXPECT_EQ(handlers[1]->predict_at_home(Matrix{{30, 1, 0}}).predicted.points(), 1u);
  data_seed = 50;
  start();
  run(0, handlers[0]->fit("ask"));
  EXPECT_LT(together(1).opened, together(1).held);
}

// A fit that would open too many numbers ends before its sum over landmarks.
TEST_F(AtHome, AFitThatWouldOpenTooMuchOpensNothingOfLandmarks) {
  rules.most_opened = 0.2;
  start();
  EXPECT_TRUE(says(refusal([&] { run(0, handlers[0]->fit("ask")); }),
                   "more; its policy allows 48 (0.2 times the 240 that the rows of all agents hold"));
  std::uint64_t opened = 0;
  read_ledger(state(1, "ledger.jsonl"),
              [&](const LedgerLine& line) { opened = std::max(opened, line.opened); });
  EXPECT_LT(opened, 54u) << "9 landmarks open 54 numbers";
  EXPECT_FALSE(handlers[1]->held());
}

}  // namespace
}  // namespace tacit
