// The roster of a model, the files of agents and the ledger, with real processes.
#include "agents_testing.hpp"

namespace tacit::testing {
namespace {

class Rosters : public Consortium {
 protected:
  Rosters() {
    policy = "[policy]\nfewest_agents = 3\nwithout = [\"d\"]\nmost_opened = 10.0\nfewest_new_rows = 1\n";
    agreed.insert(agreed.end(), {"--collusion", "1"});
  }

  Output predict(std::size_t i) {
    return ask(i, {"predict", "--together", "--input", folder.path("points.csv")});
  }
  void restart(std::size_t i) {
    EXPECT_EQ(agents[i]->end(SIGTERM), 0);
    start(i);
    ASSERT_TRUE(wait_until([&] { return neighbours_up(i) == 3; })) << log(i);
  }
};

TEST_F(Rosters, NoMemberIsExcludedByAccident) {
  start_all();
  ASSERT_EQ(ask(0, {"fit"}).exit_code, 0);
  ASSERT_EQ(predict(0).exit_code, 0);
  EXPECT_EQ(agents[3]->end(SIGTERM), 0);
  ASSERT_TRUE(
      wait_until([&] { return neighbours_up(0) == 2 && neighbours_up(1) == 2 && neighbours_up(2) == 2; }));
  // A fit without --without fails each time a member is absent. The error names the member and the remedy.
  for (int k = 0; k < 2; ++k) {
    const Output fit = ask(0, {"fit"});
    EXPECT_EQ(fit.exit_code, 1);
    EXPECT_TRUE(contains(fit.err, "d (agent 3) did not answer")) << fit.err;
    EXPECT_TRUE(contains(fit.err, "tacit fit --without d")) << fit.err;
  }
  const Output missing = predict(0);
  EXPECT_EQ(missing.exit_code, 1);
  EXPECT_TRUE(contains(missing.err, "d (agent 3) did not answer")) << missing.err;
  EXPECT_TRUE(contains(missing.err, "wait until all are back")) << missing.err;
  // With --without, if owners allow it. A note states what the two models reveal together.
  EXPECT_TRUE(contains(ask(0, {"fit", "--without", "c"}).err, "policy of a does not allow a fit without c"));
  const Output fit = ask(0, {"fit", "--without", "d", "--json"});
  ASSERT_EQ(fit.exit_code, 0) << fit.err << log(1);
  const Json fitted = Json::parse(fit.out);
  EXPECT_EQ(fitted["roster"], (Json{"a", "b", "c"}));
  EXPECT_EQ(fitted["without"], Json{"d"});
  EXPECT_TRUE(contains(fitted["notes"].dump(), "sums over only d's rows"));
  EXPECT_TRUE(contains(status(1)["notes"].dump(), "sums over only d's rows"));
  EXPECT_TRUE(contains(ask(2, {"ledger"}).out, "sums over only d's rows"));
  EXPECT_EQ(predict(1).exit_code, 0);
  // The excluded agent gets no answer with the older model.
  start(3);
  ASSERT_TRUE(wait_until([&] { return neighbours_up(3) == 3; })) << log(3);
  EXPECT_EQ(status(3)["model"]["version"], 1);
  const Output old = predict(3);
  EXPECT_EQ(old.exit_code, 1);
  EXPECT_TRUE(contains(old.err, "newer model")) << old.err;
  EXPECT_EQ(predict(1).exit_code, 0);  // still from the data of three agents
  // Agent d does not know version 2. Its fit becomes version 3 nevertheless.
  const Output again = ask(3, {"fit", "--json"});
  ASSERT_EQ(again.exit_code, 0) << again.err;
  EXPECT_EQ(Json::parse(again.out)["model"]["version"], 3);
}

// The first attack of findings 5: an owner edits the noise, length-scale or scale in the agent's model file.
TEST_F(Rosters, AnEditedModelIsNotUsed) {
  start_all();
  ASSERT_EQ(ask(0, {"fit"}).exit_code, 0);
  const std::string before = predict(1).out;
  EXPECT_EQ(agents[0]->end(SIGTERM), 0);
  Json model = Json::parse(content(at("a", "state/model.json")));
  model["model"]["priors"][0]["noise"] = 1.5 * model["model"]["priors"][0]["noise"].get<double>();
  folder.write("a/state/model.json", model.dump());
  start(0);
  ASSERT_TRUE(wait_until([&] { return neighbours_up(0) == 3; })) << log(0);
  EXPECT_TRUE(contains(log(0), "model.json is not used and was renamed")) << log(0);
  EXPECT_TRUE(std::filesystem::exists(at("a", "state/model.json.set-aside")));
  EXPECT_TRUE(status(0)["model"].is_null());
  EXPECT_EQ(predict(0).exit_code, 2);  // no model
  EXPECT_EQ(predict(1).out, before);   // the models of the others are unchanged
  EXPECT_EQ(predict(0).out, before);   // a has obtained the model from the others
}

TEST_F(Rosters, ChangedRowsNeedANewFit) {
  start_all();
  ASSERT_EQ(ask(0, {"fit"}).exit_code, 0);
  folder.write("b/data.csv", content(at("b", "data.csv")) + "1.5,54\n");
  restart(1);
  EXPECT_EQ(status(1)["rows_changed"], true);
  EXPECT_TRUE(contains(log(1), "rows differ from those"));
  const Output output = predict(0);
  EXPECT_EQ(output.exit_code, 1);
  EXPECT_TRUE(contains(output.err, "rows")) << output.err;
  EXPECT_EQ(predict(1).exit_code, 2);
  const Output home = ask(1, {"predict", "--input", folder.path("points.csv")});
  EXPECT_EQ(home.exit_code, 0) << home.err;
  EXPECT_TRUE(contains(home.err, "rows have changed since the fit")) << home.err;
  ASSERT_EQ(ask(0, {"fit"}).exit_code, 0);
  EXPECT_EQ(status(1)["rows_changed"], false);
  EXPECT_EQ(predict(0).exit_code, 0);
}

TEST_F(Rosters, PointsStayWithinTheAgreement) {
  start_all();
  ASSERT_EQ(ask(0, {"fit"}).exit_code, 0);
  const std::string far = folder.write("far.csv", "x\n3\n1e9\n");
  const Output output = ask(0, {"predict", "--together", "--input", far});
  EXPECT_EQ(output.exit_code, 2);
  EXPECT_TRUE(contains(output.err, "far.csv, line 3, column \"x\"")) << output.err;
}

TEST_F(Rosters, TheLedgerShowsWhatWasAsked) {
  start_all();
  ASSERT_EQ(ask(0, {"fit"}).exit_code, 0);
  ASSERT_EQ(predict(1).exit_code, 0);
  ASSERT_EQ(predict(1).exit_code, 0);
  const Json all = Json::parse(ask(2, {"ledger", "--json"}).out);
  ASSERT_EQ(all["runs"].size(), 3u);
  EXPECT_EQ(all["lines"], 7);  // a fit also records what it is about to open
  EXPECT_EQ(all["chain_holds"], true);
  EXPECT_EQ(all["fits_on_these_rows"]["held"], 200);  // 100 rows of two columns
  EXPECT_EQ(all["fits_on_these_rows"]["limit"], 2000);
  EXPECT_EQ(all["fits_on_these_rows"]["opened"], all["runs"][0]["opened"]);
  EXPECT_TRUE(contains(all["notes"].dump(), "of the 2,000 numbers that its policy allows"));
  EXPECT_EQ(all["runs"][0]["kind"], "fit");
  EXPECT_EQ(all["runs"][0]["asker"], "a");
  EXPECT_EQ(all["runs"][1]["points"], 3);
  EXPECT_EQ(all["runs"][1]["outcome"], "done");
  EXPECT_EQ(all["runs"][1]["opened"], 6);  // a mean and a precision for each point
  EXPECT_EQ(all["runs"][1]["model"], status(2)["model"]["digest"]);
  EXPECT_EQ(all["hash"], status(2)["ledger"]["hash"]);
  const Json sums = Json::parse(ask(2, {"ledger", "--summary", "--json"}).out)["summary"];
  ASSERT_EQ(sums.size(), 2u);
  EXPECT_EQ(sums[1]["asker"], "b");
  EXPECT_EQ(sums[1]["points"], 6);
  EXPECT_EQ(sums[1]["opened"], 12);
  const std::string csv = ask(2, {"ledger", "--csv"}).out;
  EXPECT_EQ(std::count(csv.begin(), csv.end(), '\n'), 4);
  EXPECT_EQ(Json::parse(ask(2, {"ledger", "--json", "--since", "2999-01-01"}).out)["runs"].size(), 0u);
  EXPECT_EQ(ask(2, {"ledger", "--since", "yesterday"}).exit_code, 2);
  EXPECT_TRUE(contains(ask(2, {"ledger", "--verify"}).out, "The chain of 7 lines is intact"));
  std::istringstream kept(content(at("c", "state/ledger.jsonl")));
  for (std::string line; std::getline(kept, line);) {
    Json entry = Json::parse(line);
    entry.erase("time");
    EXPECT_FALSE(contains(entry.dump(), "4.5")) << line;  // a point
  }
  // An edited line.
  EXPECT_EQ(agents[2]->end(SIGTERM), 0);
  std::string text = content(at("c", "state/ledger.jsonl"));
  text.replace(text.find("\"points\":3"), 10, "\"points\":1");
  folder.write("c/state/ledger.jsonl", text);
  const Output broken = ask(2, {"ledger", "--verify"});
  EXPECT_EQ(broken.exit_code, 1);
  EXPECT_TRUE(contains(broken.err, "line 4 is invalid")) << broken.err;
  // The agent starts and continues with a new ledger, which refers to the broken one.
  start(2);
  ASSERT_TRUE(wait_until([&] { return neighbours_up(2) == 3; })) << log(2);
  EXPECT_TRUE(contains(status(2)["notes"].dump(), "line 4 is invalid"));
  ASSERT_EQ(predict(1).exit_code, 0);
  EXPECT_TRUE(contains(ask(2, {"ledger", "--verify"}).out, "ledger.jsonl.broken-1"));
}

}  // namespace
}  // namespace tacit::testing
