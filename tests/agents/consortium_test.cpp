// Agents as real processes, used from the command line.
#include <chrono>
#include <functional>

#include "agents_testing.hpp"

namespace tacit::testing {
namespace {

TEST_F(Consortium, FitsPredictsRestartsAndStopsClean) {
  start_all();
  EXPECT_EQ(ask(0, {"predict", "--together", "--input", folder.path("points.csv")}).exit_code,
            2);  // no model yet
  const Output fit = ask(1, {"fit", "--json"});
  ASSERT_EQ(fit.exit_code, 0) << fit.err << log(1);
  EXPECT_EQ(Json::parse(fit.out)["roster"].size(), 4u);
  const Output csv = ask(2, {"predict", "--together", "--input", folder.path("points.csv")});
  ASSERT_EQ(csv.exit_code, 0) << csv.err;
  EXPECT_TRUE(csv.out.starts_with("z_mean,z_latent_sd,z_observed_sd,z_low,z_high\n"));
  EXPECT_EQ(std::count(csv.out.begin(), csv.out.end(), '\n'), 4);
  const Json predicted =
      Json::parse(ask(2, {"predict", "--together", "--input", folder.path("points.csv"), "--json"}).out);
  EXPECT_NEAR(predicted["predictions"][1]["mean"][0].get<double>(), 52, 3);
  EXPECT_EQ(ask(3, {"predict", "--together", "--input", folder.path("points.csv")}).out,
            csv.out);  // the same bits at all agents

  // No agent holds out rows.
  EXPECT_EQ(ask(0, {"evaluate"}).exit_code, 1);
  folder.write("known.csv", "x,z\n-3,43\n0,52\n");
  for (const bool together : {false, true}) {
    std::vector<std::string> words{"evaluate", "--input", folder.path("known.csv"), "--json"};
    if (together) words.emplace_back("--together");
    const Json score = Json::parse(ask(0, words).out);
    EXPECT_LT(score["rmse"].get<double>(), 5);
    EXPECT_EQ(score["inputs_shown"], together);
  }

  const Json now = status(0);
  EXPECT_EQ(now["model"]["version"], 1);
  EXPECT_EQ(now["name"], "a");
  EXPECT_GE(now["runs"]["done"].get<int>(), 4);
  EXPECT_GT(now["peers"][0]["bytes_sent"].get<int>(), 100);
  EXPECT_EQ(now["charter"],
            Json::parse(run_tacit({"charter", "show", folder.path("charter.toml"), "--json"}).out)["hash"]);

  // After a clean stop and a restart, all agents still have the model.
  for (const auto& agent : agents) EXPECT_EQ(agent->end(SIGTERM), 0);
  for (const std::string& name : names) EXPECT_FALSE(std::filesystem::exists(at(name, "state/control.sock")));
  start_all();
  EXPECT_EQ(ask(1, {"predict", "--together", "--input", folder.path("points.csv")}).out, csv.out);

  // One agent loses its model, as if it had been absent: it obtains the model from the others.
  EXPECT_EQ(agents[3]->end(SIGTERM), 0);
  std::filesystem::remove(at("d", "state/model.json"));
  start(3);
  ASSERT_TRUE(wait_until([&] { return neighbours_up(3) == 3 && neighbours_up(0) == 3; }));
  EXPECT_EQ(ask(0, {"predict", "--together", "--input", folder.path("points.csv")}).out, csv.out);
  EXPECT_EQ(status(3)["model"]["version"], 1);

  // Logs are JSON, one event per line, and contain neither data nor keys.
  for (std::size_t i = 0; i < 4; ++i) {
    std::istringstream lines(log(i));
    for (std::string line; std::getline(lines, line);) {
      const Json event = Json::parse(line, nullptr, false);
      ASSERT_FALSE(event.is_discarded()) << line;
      EXPECT_TRUE(event.contains("level") && event.contains("text") && event.contains("time"));
    }
    const std::string seed = content(at(names[i], "identity.key")).substr(0, 64);
    EXPECT_EQ(log(i).find(seed), std::string::npos);
    EXPECT_EQ(log(i).find("-8.3"), std::string::npos);  // an input of all agents
  }
}

// All other agents are stopped: an agent still answers from what it holds, and sends no bytes.
TEST_F(Consortium, AnswersAtHomeAndByAFileThatIsTakenAway) {
  start_all();
  EXPECT_EQ(ask(0, {"export", "-o", folder.path("model.tacit")}).exit_code, 2);  // no model yet
  const Output fit = ask(1, {"fit"});
  ASSERT_EQ(fit.exit_code, 0) << fit.err << log(1);
  // 8 · 11 / 2 numbers of the 200 in 100 rows of two columns
  EXPECT_NE(fit.out.find("8 landmarks over 100 rows: 44 numbers opened, 22.0 % of the 200"),
            std::string::npos)
      << fit.out;
  const auto sent = [&] {
    std::uint64_t bytes = 0;
    const Json now = status(0);
    for (const Json& peer : now["peers"]) bytes += peer["bytes_sent"].get<std::uint64_t>();
    return bytes;
  };
  // Agents sometimes send messages to maintain their links. A prediction that sent something would do so
  // every time.
  const auto sends_nothing = [&] {
    const std::uint64_t before = sent();
    EXPECT_EQ(ask(0, {"predict", "--input", folder.path("points.csv")}).exit_code, 0);
    return sent() == before;
  };
  EXPECT_TRUE(wait_until(sends_nothing));
  for (const std::size_t i : {1, 2, 3}) EXPECT_EQ(agents[i]->end(SIGTERM), 0);
  ASSERT_TRUE(wait_until([&] { return neighbours_up(0) == 0; })) << log(0);
  const Output home = ask(0, {"predict", "--input", folder.path("points.csv")});
  ASSERT_EQ(home.exit_code, 0) << home.err;
  EXPECT_NE(home.err.find("note: answered at home; no other agent was asked"), std::string::npos) << home.err;
  const Json json = Json::parse(ask(0, {"predict", "--input", folder.path("points.csv"), "--json"}).out);
  EXPECT_EQ(json["at_home"], true);
  EXPECT_NEAR(json["predictions"][1]["mean"][0].get<double>(), 52, 3);
  EXPECT_EQ(Json::parse(ask(0, {"ledger", "--json"}).out)["runs"].size(), 1u);

  // Without an agent, the file with the rows gives the same predictions to the last digit. The file with only
  // the pooled part does not.
  const std::string all = folder.path("all.tacit"), pooled = folder.path("pooled.tacit");
  const Output with = ask(0, {"export", "--with-experts", "-o", all});
  ASSERT_EQ(with.exit_code, 0) << with.err;
  EXPECT_NE(with.err.find(" contains all rows of this agent, unencrypted"), std::string::npos) << with.err;
  EXPECT_EQ(std::filesystem::status(all).permissions(), std::filesystem::perms(0600));
  ASSERT_EQ(ask(0, {"export", "-o", pooled}).exit_code, 0);
  EXPECT_EQ(ask(0, {"export", "-o", pooled}).exit_code, 2);  // it exists
  EXPECT_EQ(agents[0]->end(SIGTERM), 0);
  const auto by_file = [&](const std::string& file) {
    return run_tacit({"predict", "--model", file, "--input", folder.path("points.csv")});
  };
  EXPECT_EQ(by_file(all).out, home.out) << by_file(all).err;
  EXPECT_NE(by_file(pooled).out, home.out);
  EXPECT_TRUE(by_file(pooled).out.starts_with("z_mean,z_latent_sd,z_observed_sd,z_low,z_high\n"));
  folder.write("cut.tacit", content(all).substr(0, 500));
  EXPECT_EQ(by_file(folder.path("cut.tacit")).exit_code, 2);
  EXPECT_NE(by_file(folder.path("cut.tacit")).err.find("the file is damaged"), std::string::npos);
}

// Typical files of users: predictions at home and together, and scores.
TEST_F(Consortium, AnswersToFilesAsTheyAre) {
  start_all();
  ASSERT_EQ(ask(0, {"fit"}).exit_code, 0);
  const auto ask_first = [&](std::vector<std::string> words, const std::string& more) {
    if (!more.empty()) words.push_back(more);
    return ask(0, words);
  };
  const std::string plain = folder.path("points.csv"),
                    bad = folder.write("bad.csv", "who,x\nA,-3\nB,250\nC,0\nD,\nE,4.5\n");
  for (const char* together : {"", "--together"}) {
    const Output good = ask_first({"predict", "--input", plain}, together);
    ASSERT_EQ(good.exit_code, 0) << good.err;
    const Output refused = ask_first({"predict", "--input", bad}, together);
    EXPECT_EQ(refused.exit_code, 2);
    EXPECT_EQ(refused.out, "");
    for (const char* words : {"bad.csv", "line 3, column \"x\"", "\"250\"", "range -10 to 10",
                              "line 5, column \"x\"", "--skip-bad"})
      EXPECT_NE(refused.err.find(words), std::string::npos) << words << " is not in " << refused.err;
    const Output skipped = ask_first({"predict", "--input", bad, "--id", "who", "--skip-bad"}, together);
    ASSERT_EQ(skipped.exit_code, 0) << skipped.err;
    EXPECT_NE(skipped.err.find("2 of 5 rows"), std::string::npos) << skipped.err;
    std::istringstream of_good(good.out), of_skipped(skipped.out);
    for (const char* id : {"who", "A", "B", "C", "D", "E"}) {
      std::string line, same = ",,,,";
      std::getline(of_skipped, line);
      if (*id != 'B' && *id != 'D') std::getline(of_good, same);
      EXPECT_EQ(line, id + ("," + same));
    }
  }

  // The [data] settings of agent.toml also apply to files of points, unless an option overrides them.
  std::string config = content(at("a", "agent.toml"));
  const std::string data = "data = \"data.csv\"\n";
  config.erase(config.find(data), data.size());
  const std::string german =
      folder.write("a/german.toml", config +
                                        "[data]\nfile = \"data.csv\"\ndecimal = \"comma\"\n"
                                        "delimiter = \"semicolon\"\n");
  const std::string points = folder.write("german.csv", "x;z, gemessen\n-3,0;-\n0,0;-\n4,5;-\n");
  const Output as_owner = run_tacit({"predict", "--agent", german, "--input", points});
  EXPECT_EQ(as_owner.out, ask(0, {"predict", "--input", plain}).out) << as_owner.err;
  EXPECT_EQ(run_tacit({"predict", "--agent", german, "--input", plain}).exit_code, 2);
  EXPECT_EQ(run_tacit({"predict", "--agent", german, "--input", plain, "--decimal", "point"}).out,
            as_owner.out);
  EXPECT_EQ(run_tacit({"predict", "--agent", german, "--input", "-"}, 0, points).out, as_owner.out);

  // A row without a target is not scored.
  const std::string known = folder.write("known.csv", "x,z\n-3,43\n0,52\n1,\n");
  EXPECT_EQ(ask(0, {"evaluate", "--input", known}).exit_code, 2);
  const Json score = Json::parse(ask(0, {"evaluate", "--input", known, "--skip-bad", "--json"}).out);
  EXPECT_EQ(score["rows"], 2);
  EXPECT_EQ(score["skipped"], 1);
  EXPECT_EQ(score["targets"]["z"]["rmse"], score["rmse"]);
  const Output text =
      run_tacit({"evaluate", "--agent", folder.path("a"), "--input", "-", "--skip-bad"}, 0, known);
  EXPECT_NE(text.out.find("2 rows of your own"), std::string::npos) << text.out << text.err;
  EXPECT_NE(text.out.find("1 of 3 rows"), std::string::npos) << text.out;
  EXPECT_EQ(ask(0, {"evaluate", "--skip-bad"}).exit_code, 2);  // without a file
}

TEST_F(Consortium, ManyUsersAtOnceAreQueued) {
  start_all();
  ASSERT_EQ(ask(0, {"fit"}).exit_code, 0);
  std::vector<std::string> alone, together(8);
  for (std::size_t k = 0; k < 8; ++k) {
    const std::string points =
        folder.write("p" + std::to_string(k) + ".csv", "x\n" + std::to_string(k) + "\n");
    alone.push_back(ask(0, {"predict", "--together", "--input", points}).out);
  }
  {
    std::vector<std::jthread> users;
    for (std::size_t k = 0; k < 8; ++k)
      users.emplace_back([&, k] {
        together[k] =
            ask(k % 4, {"predict", "--together", "--input", folder.path("p" + std::to_string(k) + ".csv")})
                .out;
      });
  }
  EXPECT_EQ(together, alone);
}

// Four parties with four kinds of files, which the charter and each owner's [data] turn into one table.
class AsTheyCome : public Consortium {
 protected:
  AsTheyCome() {
    agreed = {"--column", "day:2020-01-01..2029-12-31", "--column", "z:0..100:target", "--rows", "1000"};
  }
  // Year, month and day as in a file, with leading zeros.
  struct Day {
    std::string y, m, d, iso = y + "-" + m + "-" + d;
  };
  // z grows by 1 in 100 days since 2020-01-01.
  static std::string rows(std::string text, int first, bool comma,
                          const std::function<std::string(const Day&, const std::string&)>& line) {
    const auto padded = [](unsigned n) { return (n < 10 ? "0" : "") + std::to_string(n); };
    for (int k = first; k < 3600; k += 140) {
      const std::chrono::year_month_day day(std::chrono::sys_days(std::chrono::year(2020) / 1 / 1) +
                                            std::chrono::days(k));
      const Day date{std::to_string(static_cast<int>(day.year())), padded(static_cast<unsigned>(day.month())),
                     padded(static_cast<unsigned>(day.day()))};
      text += line(date, std::to_string(20 + k / 100) + (comma ? "," : ".") +
                             padded(static_cast<unsigned>(k % 100))) +
              "\n";
    }
    return text;
  }
  void SetUp() override {
    Consortium::SetUp();
    const auto give = [&](const std::string& name, const std::string& text, const std::string& how) {
      folder.write(name + "/data.csv", text);
      std::string config = content(at(name, "agent.toml"));
      config.erase(config.find("data = \"data.csv\"\n"), std::string("data = \"data.csv\"\n").size());
      folder.write(name + "/agent.toml", config + "[data]\nfile = \"data.csv\"\n" + how);
    };
    give("a", rows("day,z\n", 0, false, [](const Day& day, const auto& z) { return day.iso + "," + z; }), "");
    give("b",
         rows("z;day\n", 35, true,
              [](const Day& day, const auto& z) { return z + ";" + day.d + "." + day.m + "." + day.y; }),
         "decimal = \"comma\"\n");
    give("c",
         rows("day\tz\n", 70, false,
              [](const Day& day, const auto& z) { return day.m + "/" + day.d + "/" + day.y + "\t" + z; }) +
             "1/1/2021\t\n\t30\n",
         "slash_dates = \"month-first\"\nmissing = \"drop\"\n");
    give("d",
         rows("day,z\n", 105, false,
              [](const Day& day, const auto& z) { return day.iso + "T00:00:00Z," + z; }),
         "");
    folder.write("points.csv", "day\n2021-06-01\n15.03.2025\n");  // 517 and 1900 days since the start
  }
};

TEST_F(AsTheyCome, AgentsReadDatesFromTheCharterAndTheRestFromTheirOwners) {
  start_all();
  const Output fit = ask(0, {"fit"});
  ASSERT_EQ(fit.exit_code, 0) << fit.err << log(0);
  const Json now = status(2);
  EXPECT_EQ(now["rows"], 26);
  EXPECT_EQ(now["dropped"], 2);
  EXPECT_NE(ask(2, {"status"}).out.find("2 rows"), std::string::npos);
  for (std::size_t i = 0; i < 4; ++i) {
    const Output output = ask(i, {"predict", "--input", folder.path("points.csv"), "--json"});
    ASSERT_EQ(output.exit_code, 0) << output.err;
    const Json at = Json::parse(output.out)["predictions"];
    EXPECT_NEAR(at[0]["mean"][0].get<double>(), 25.17, 0.5) << output.out;
    EXPECT_NEAR(at[1]["mean"][0].get<double>(), 39.00, 0.5) << output.out;
  }
  // An exported model also contains the start date.
  ASSERT_EQ(ask(1, {"export", "-o", folder.path("model.tacit")}).exit_code, 0);
  const Output away = run_tacit(
      {"predict", "--model", folder.path("model.tacit"), "--input", folder.path("points.csv"), "--json"});
  ASSERT_EQ(away.exit_code, 0) << away.err;
  EXPECT_NEAR(Json::parse(away.out)["predictions"][1]["mean"][0].get<double>(), 39.00, 0.5);
  folder.write("late.csv", "day\n2030-01-01\n");
  const Output late = ask(0, {"predict", "--input", folder.path("late.csv")});
  EXPECT_EQ(late.exit_code, 2);
  EXPECT_NE(late.err.find("\"2030-01-01\" is outside the charter's range 2020-01-01 to 2029-12-31"),
            std::string::npos)
      << late.err;
}

TEST_F(Consortium, RefusesToStartOnErrors) {
  const auto start_a = [&] { return run_tacit({"agent", "--config", at("a", "agent.toml")}); };
  const std::string data = content(at("a", "data.csv"));
  folder.write("a/data.csv", data + "3,1000\n");
  const Output outside = start_a();
  EXPECT_EQ(outside.exit_code, 2);
  EXPECT_NE(outside.err.find("data.csv, line 27, column \\\"z\\\": the cell is outside"), std::string::npos)
      << outside.err;
  EXPECT_EQ(outside.err.find("1000"), std::string::npos) << outside.err;  // no cell's value in a log
  const Output check = run_tacit({"agent", "--config", at("a", "agent.toml"), "--check"});
  EXPECT_EQ(check.exit_code, 2);
  EXPECT_NE(check.out.find("the cell \"1000\" is outside"), std::string::npos) << check.out;
  folder.write("a/data.csv", data);
  EXPECT_EQ(run_tacit({"agent", "--config", at("a", "agent.toml"), "--check"}).exit_code, 0);

  std::filesystem::permissions(at("a", "tls.key"), std::filesystem::perms(0644));
  EXPECT_NE(start_a().err.find("chmod 600"), std::string::npos);
  std::filesystem::permissions(at("a", "tls.key"), std::filesystem::perms(0600));

  const std::string charter = content(folder.path("charter.toml"));
  std::string widened = charter;
  widened.replace(widened.find("high = 10.0"), 11, "high = 11.0");
  folder.write("charter.toml", widened);
  EXPECT_NE(start_a().err.find("are void: they belong to another text"), std::string::npos);
  folder.write("charter.toml", charter);

  start(0);
  ASSERT_TRUE(wait_until([&] { return neighbours_up(0) == 0; })) << log(0);
  EXPECT_NE(start_a().err.find("another agent uses this state folder"), std::string::npos);
  const Output failed = ask(0, {"fit"});  // the others are absent: an error within the charter's timeout
  EXPECT_EQ(failed.exit_code, 1) << failed.err;
  EXPECT_EQ(agents[0]->end(SIGINT), 0);
}

class ManyLandmarks : public Consortium {
 protected:
  ManyLandmarks() { agreed.insert(agreed.end(), {"--landmarks", "40"}); }
};

TEST_F(ManyLandmarks, NeedAWordOfConsent) {
  start_all();
  const Output fit = ask(0, {"fit"});
  EXPECT_NE(fit.exit_code, 0);
  // All agents find the problem; either the asker or a member reports it first.
  const std::string own =
      "40 landmarks would open 860 numbers about 100 rows with 200 numbers, which is more than a quarter; "
      "request at most 8, or agree on more in the charter";
  const std::string theirs = "asks for more landmarks than the rows of all agents allow; the most is 8";
  EXPECT_TRUE(fit.err.find(own) != std::string::npos || fit.err.find(theirs) != std::string::npos) << fit.err;
}

class Strict : public Consortium {
 protected:
  Strict() {
    policy =
        "[policy]\nfewest_agents = 3\n[policy.may]\nfit = [\"a\"]\npredict = [\"*\"]\nevaluate = "
        "[]\n[policy.a_day]\npredictions = 5\n";
  }
};

TEST_F(Strict, OwnersDecide) {
  start_all();
  const Output fit = ask(1, {"fit"});
  EXPECT_EQ(fit.exit_code, 1);
  EXPECT_NE(fit.err.find("its owner's policy does not allow this asker"), std::string::npos) << fit.err;
  ASSERT_EQ(ask(0, {"fit"}).exit_code, 0);
  ASSERT_EQ(ask(1, {"predict", "--together", "--input", folder.path("points.csv")}).exit_code, 0);
  const Output often = ask(1, {"predict", "--together", "--input", folder.path("points.csv")});
  EXPECT_EQ(often.exit_code, 1);
  EXPECT_NE(often.err.find("(2 left today)"), std::string::npos) << often.err;
  const Json now = status(0);
  EXPECT_EQ(now["peers"][0]["left"]["predict"], 2);
  EXPECT_EQ(now["peers"][1]["left"]["predict"], 5);
  EXPECT_EQ(ask(2, {"predict", "--together", "--input", folder.path("points.csv")}).exit_code, 0);
}

std::size_t demo_folders() {
  std::size_t count = 0;
  for (const auto& entry : std::filesystem::directory_iterator(std::filesystem::temp_directory_path()))
    count += entry.path().filename().string().starts_with("tacit-demo-") ? 1 : 0;
  return count;
}

TEST(Up, FiveAgentsFitAndPredictOnce) {
  const Folder folder;
  setenv("TMPDIR", folder.path("").c_str(), 1);
  const Output output = run_tacit({"up", "--demo", "5", "--once"});
  EXPECT_EQ(output.exit_code, 0) << output.err;
  EXPECT_NE(output.out.find("5 agents, each in its own process"), std::string::npos);
  EXPECT_NE(output.out.find("On 44 patients that no hospital has: RMSE 5"), std::string::npos) << output.out;
  EXPECT_EQ(demo_folders(), 0u);
  unsetenv("TMPDIR");
}

TEST(Up, AlsoByConsensus) {
  const Output output = run_tacit({"up", "--demo", "5", "--protocol", "consensus", "--once"});
  EXPECT_EQ(output.exit_code, 0) << output.err;
  EXPECT_NE(output.out.find("On 44 patients that no hospital has: RMSE "), std::string::npos) << output.out;
}

class UpUntil : public ::testing::TestWithParam<int> {};

// Whatever ends it, no process and no file remains.
TEST_P(UpUntil, NothingIsLeft) {
  const Folder folder;
  setenv("TMPDIR", folder.path("").c_str(), 1);
  RunningProgram up({"up", "--demo", "3"}, folder.path("out"), folder.path("err"));
  EXPECT_TRUE(wait_until([&] {
    return content(folder.path("out")).find("until Ctrl-C") != std::string::npos || !up.running();
  }));
  EXPECT_TRUE(up.running()) << content(folder.path("err"));
  std::vector<std::string> sockets;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(folder.path("")))
    if (entry.path().filename() == "control.sock") sockets.push_back(entry.path());
  EXPECT_EQ(sockets.size(), 3u);
  EXPECT_EQ(run_tacit({"status", "--agent", sockets.at(0)}).exit_code, 0);
  EXPECT_EQ(up.end(GetParam()), GetParam() == SIGKILL ? 128 + SIGKILL : 0);
  EXPECT_TRUE(wait_until(
      [&] { return demo_folders() == 0; }));  // the folder is removed only after the agents have ended
  unsetenv("TMPDIR");
}

INSTANTIATE_TEST_SUITE_P(Signals, UpUntil, ::testing::Values(SIGINT, SIGTERM, SIGKILL));

}  // namespace
}  // namespace tacit::testing
