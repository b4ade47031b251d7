// tacit keygen and tacit charter as users run them.
#include <gtest/gtest.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "program_testing.hpp"

namespace tacit::testing {
namespace {

using Json = nlohmann::json;

class CharterCommand : public ::testing::Test {
 protected:
  Folder folder;

  void SetUp() override {
    for (int k = 0; k < 4; ++k) {
      const std::string name = std::string(1, static_cast<char>('a' + k));
      ASSERT_EQ(run_tacit({"keygen", folder.path(name), "--address", "127.0.0.1:750" + std::to_string(k)})
                    .exit_code,
                0);
    }
  }
  std::string card(const std::string& name) const { return folder.path(name + "/card.toml"); }

  Output make(std::vector<std::string> more) const {
    std::vector<std::string> all = {"charter", "new"};
    for (const char* name : {"a", "b", "c", "d"}) all.insert(all.end(), {"--card", card(name)});
    all.insert(all.end(), {"-o", folder.path("charter.toml")});
    all.insert(all.end(), more.begin(), more.end());
    return run_tacit(all);
  }
  static void refused(const Output& output, const std::vector<std::string>& words) {
    EXPECT_EQ(output.exit_code, 2) << output.err;
    for (const std::string& word : words)
      EXPECT_NE(output.err.find(word), std::string::npos) << "'" << word << "' is not in: " << output.err;
  }
};

TEST_F(CharterCommand, KeygenRefusesToOverwriteAndBadNames) {
  refused(run_tacit({"keygen", folder.path("a")}), {"never overwritten"});
  refused(run_tacit({"keygen", folder.path("x"), "--name", "Köln"}), {"--name", "is not a valid agent name"});
  refused(run_tacit({"keygen", folder.path("x"), "--address", "nowhere"}), {"--address", "host:port"});
  EXPECT_FALSE(std::filesystem::exists(folder.path("x/identity.key")));
  const Json card = Json::parse(run_tacit({"keygen", folder.path("y"), "--json"}).out);
  EXPECT_EQ(card["name"], "y");
  EXPECT_EQ(card["identity"].get<std::string>().size(), 64u);
}

TEST_F(CharterCommand, NewFromDataCheckSignDiffShow) {
  const Output made =
      make({"--data", TACIT_SOURCE_DIR "/data/diabetes.csv", "--target", "y", "--topology", "ring:2"});
  ASSERT_EQ(made.exit_code, 0) << made.err;
  const std::string file = folder.path("charter.toml");
  EXPECT_EQ(run_tacit({"charter", "check", file}).exit_code, 0);
  const Json before = Json::parse(run_tacit({"charter", "check", file, "--json"}).out);
  EXPECT_EQ(before["unsigned"].size(), 4u);
  // Half of the parties sign one copy, half another; --take merges the signatures.
  std::filesystem::copy_file(file, folder.path("other.toml"));
  for (const char* name : {"a", "b"})
    ASSERT_EQ(run_tacit({"charter", "sign", file, "--identity", folder.path(name)}).exit_code, 0);
  for (const char* name : {"c", "d"})
    ASSERT_EQ(
        run_tacit({"charter", "sign", folder.path("other.toml"), "--identity", folder.path(name)}).exit_code,
        0);
  ASSERT_EQ(run_tacit({"charter", "sign", file, "--take", folder.path("other.toml")}).exit_code, 0);
  const Json after = Json::parse(run_tacit({"charter", "show", file, "--json"}).out);
  EXPECT_EQ(after["signed"].size(), 4u);
  EXPECT_EQ(after["hash"], before["hash"]);
  EXPECT_EQ(after["fields"]["input \"bmi\", high"], "60");
  EXPECT_EQ(run_tacit({"charter", "diff", file, folder.path("other.toml")}).exit_code, 0);

  std::string text = content(file);
  text.replace(text.find("most_points = 10000"), 19, "most_points = 10001");
  folder.write("changed.toml", text);
  const Output diff = run_tacit({"charter", "diff", file, folder.path("changed.toml")});
  EXPECT_EQ(diff.exit_code, 1);
  EXPECT_NE(diff.out.find("protocol, most points"), std::string::npos);
  const Output changed = run_tacit({"charter", "check", folder.path("changed.toml"), "--json"});
  refused(changed, {"the signatures of a, b, c and d are void: they belong to another text"});
  EXPECT_EQ(Json::parse(changed.out)["void"].size(), 4u);
  EXPECT_EQ(Json::parse(changed.out)["signed"].size(), 0u);
  EXPECT_TRUE(Json::parse(changed.out)["problems"].empty());
  ASSERT_EQ(
      run_tacit({"charter", "sign", folder.path("changed.toml"), "--identity", folder.path("b")}).exit_code,
      0);
  const Output partly = run_tacit({"charter", "show", folder.path("changed.toml")});
  EXPECT_EQ(partly.exit_code, 0);
  EXPECT_NE(partly.out.find("Signed  by b; the signatures of a, c and d are void"), std::string::npos)
      << partly.out;
  refused(run_tacit({"charter", "sign", file, "--take", folder.path("changed.toml")}),
          {"not the same charter"});
}

// A typical hospital's file: decimal commas, semicolons, a category, dates, blank cells, and 0 for values
// that were not measured.
const char* const as_it_comes =
    "Alter;Geschlecht;Aufnahme;chol;y\n"
    "63,5;f;01.02.2021;180;12,5\n"
    "40,1;m;15.07.2022;210,5;13\n"
    "58;f;03.03.2020;0;9\n"
    "51;f;30.12.2019;NA;8,25\n";
const std::vector<std::string> read_it = {"--decimal", "comma",           "--missing",
                                          "drop",      "--missing-value", "chol:0"};

TEST_F(CharterCommand, NewReadsDataAsTheyCome) {
  std::vector<std::string> words = {"--data",        folder.write("mine.csv", as_it_comes),
                                    "--target",      "y",
                                    "--categorical", "Geschlecht",
                                    "--date",        "Aufnahme:weekday"};
  refused(make(words), {"column \"chol\"", "--decimal comma"});
  words.insert(words.end(), read_it.begin(), read_it.end());
  const Output made = make(words);
  ASSERT_EQ(made.exit_code, 0) << made.err;
  const std::string text = content(folder.path("charter.toml"));
  for (const char* line :
       {"  { name = \"Geschlecht\", levels = [\"f\", \"m\"] },\n",
        "  { name = \"Aufnahme\", date = \"2020-01-01\", low = \"2020-01-01\", high = \"2023-12-31\" },\n",
        "  { name = \"Aufnahme.weekday\", part_of = \"Aufnahme\", low = 1.0, high = 7.0 },\n"})
    EXPECT_NE(text.find(line), std::string::npos) << line << text;
  EXPECT_NE(run_tacit({"charter", "explain", folder.path("charter.toml")})
                .out.find("Aufnahme (dates, 2020-01-01 to"),
            std::string::npos);
  // Only the named inputs, and an explicit start date.
  const Output some =
      make({"--data", folder.path("mine.csv"), "--target", " y", "--inputs", "Alter, Aufnahme", "--date",
            "Aufnahme:2000-01-01", "--decimal", "comma", "--force"});
  ASSERT_EQ(some.exit_code, 0) << some.err;
  const Json fields =
      Json::parse(run_tacit({"charter", "show", folder.path("charter.toml"), "--json"}).out)["fields"];
  EXPECT_EQ(fields["inputs"], "\"Alter\", \"Aufnahme\"");
  EXPECT_EQ(fields["input \"Aufnahme\", days since"], "2000-01-01");
  EXPECT_EQ(fields["input \"Aufnahme\", low"], "2018-01-01");
  refused(make({"--column", "x:0..1", "--decimal", "comma", "--force"}), {"--data"});
}

class CheckedData : public CharterCommand {
 protected:
  std::string charter = folder.path("charter.toml");

  void SetUp() override {
    CharterCommand::SetUp();
    const Output made = make({"--column", "Alter:18..110", "--column", "Geschlecht:f|m", "--column",
                              "Aufnahme:2019-01-01..2022-12-31", "--column", "chol:50..500", "--column",
                              "y:0..50:target", "--rows", "100"});
    ASSERT_EQ(made.exit_code, 0) << made.err;
  }
  Output check(const std::string& rows, std::vector<std::string> more = read_it) const {
    more.insert(more.begin(), {"charter", "check", charter, "--data", folder.write("mine.csv", rows)});
    return run_tacit(more);
  }
};

TEST_F(CheckedData, FitOrAreSummedUpByColumn) {
  const Output good = check(as_it_comes);
  EXPECT_EQ(good.exit_code, 0) << good.err;
  EXPECT_NE(
      good.out.find(
          "mine.csv has 2 rows, all within the charter's ranges and levels; 2 more were skipped because of a "
          "missing cell\n"),
      std::string::npos)
      << good.out;
  std::vector<std::string> json = read_it;
  json.emplace_back("--json");
  const Json report = Json::parse(check(as_it_comes, json).out);
  EXPECT_EQ(report["data"][0]["rows"], 2);
  EXPECT_EQ(report["data"][0]["dropped"], 2);
  EXPECT_EQ(report["unsigned"].size(), 4u);

  const std::string head = "Alter;Geschlecht;Aufnahme;chol;y\n";
  std::string many = head;
  for (const char* age : {"112", "17,5", "40", "250", "130"})
    many += std::string(age) + ";d;31.12.2022 23:59;100;1\n";
  const Output bad = check(many);
  refused(bad, {"2 problems must be fixed"});
  for (const char* words : {"column \"Alter\": 4 cells are outside the charter's range 18 to 110 (\"112\" in "
                            "line 2, \"17.5\" in line 3, "
                            "\"250\" in line 5, ...); the column goes from 17.5 to 250.\n",
                            "column \"Geschlecht\": 5 cells are not among the charter's levels (\"d\" in "
                            "line 2, \"d\" in line 3, \"d\" in line "
                            "4, ...); the column also has \"d\".\n"})
    EXPECT_NE(bad.out.find(words), std::string::npos) << words << bad.out;
  refused(check(head + "50;f;01.01.2023;100;1\n"), {"line 2, column \"Aufnahme\": the cell \"2023-01-01\" is "
                                                    "outside the charter's range 2019-01-01 to 2022-12-31"});
  refused(check(head + "50;f;2022-02-30;100;1\n"), {"column \"Aufnahme\"", "2022-02-30"});
  refused(check("Alter;Geschlecht;Aufnahme;chol\n50;f;01.01.2022;100\n"), {"there is no column \"y\""});
  std::string long_one = head;
  for (int k = 0; k < 101; ++k) long_one += "50;f;01.01.2022;100;1\n";
  refused(check(long_one), {"the data have 101 rows, but the charter allows 100 (protocol.most_rows)"});
  // The charter defines which columns are categories and dates, so the advice does not mention them.
  const Output commas = check(as_it_comes, {});
  refused(commas, {"1 problem must be fixed"});
  EXPECT_NE(commas.out.find("use --decimal comma"), std::string::npos) << commas.out;
  EXPECT_EQ(commas.out.find("--categorical"), std::string::npos) << commas.out;
}

TEST_F(CheckedData, AgentsCheckThemBeforeAnybodySigns) {
  const auto config = [&](const std::string& data) {
    folder.write(
        "agent.toml",
        "agent = 1\ncharter = \"charter.toml\"\nidentity = \"a\"\nlisten = \"127.0.0.1:7500\"\nstate = "
        "\"state\"\n" +
            data);
    return std::vector<std::string>{"agent", "--config", folder.path("agent.toml")};
  };
  const auto check = [&](const std::string& data) {
    std::vector<std::string> words = config(data);
    words.emplace_back("--check");
    return run_tacit(words);
  };
  folder.write("mine.csv", as_it_comes);
  const std::string how =
      "[data]\nfile = \"mine.csv\"\ndecimal = \"comma\"\nmissing = \"drop\"\nmissing_values = [\"chol:0\"]\n";
  const Output good = check(how);
  EXPECT_EQ(good.exit_code, 0) << good.err << good.out;
  EXPECT_NE(good.out.find("not signed by a, b, c and d; until then the agent does not start"),
            std::string::npos)
      << good.out;
  EXPECT_NE(
      good.out.find("mine.csv has 2 rows, all within the charter's ranges and levels; 2 more were skipped"),
      std::string::npos)
      << good.out;
  refused(run_tacit(config(how)), {"the agent does not start", "not signed by a, b, c and d"});
  // The advice uses the settings of agent.toml.
  const Output commas = check("[data]\nfile = \"mine.csv\"\n");
  refused(commas, {"the agent would not start"});
  EXPECT_NE(commas.out.find("decimal = \"comma\" under [data] in agent.toml"), std::string::npos)
      << commas.out;
  EXPECT_EQ(commas.out.find("--decimal"), std::string::npos) << commas.out;
  // A log never contains a cell's value.
  const Output log = run_tacit(config("data = \"mine.csv\"\n"));
  EXPECT_EQ(log.exit_code, 2);
  EXPECT_NE(log.err.find("column \"chol\""), std::string::npos) << log.err;
  for (const char* value : {"63,5", "210,5", "8,25"})
    EXPECT_EQ(log.err.find(value), std::string::npos) << log.err;
}

TEST_F(CharterCommand, NewByHandAndWithEdges) {
  const std::string edges = folder.write("edges.txt", "0 1\n1 2\n2 3\n");
  const Output made = make({"--column", "age:0..120", "--column", "sex:f|m", "--column", "y:-5..5:target",
                            "--edges", edges, "--address", "c=10.0.0.1:1", "--force"});
  ASSERT_EQ(made.exit_code, 0) << made.err;
  const Json shown = Json::parse(run_tacit({"charter", "show", folder.path("charter.toml"), "--json"}).out);
  EXPECT_EQ(shown["fields"]["network, links"], "a-b b-c c-d");
  EXPECT_EQ(shown["fields"]["agent c, address"], "10.0.0.1:1");
  // Other machines cannot reach a loopback address.
  refused(run_tacit({"charter", "check", folder.path("charter.toml")}), {"problems"});
}

TEST_F(CharterCommand, FloorsAndExplanation) {
  const std::vector<std::string> columns = {"--column", "x:0..1", "--column", "y:0..1:target", "--force"};
  const auto fields = [&](std::vector<std::string> more) {
    more.insert(more.end(), columns.begin(), columns.end());
    EXPECT_EQ(make(more).exit_code, 0);
    return Json::parse(run_tacit({"charter", "show", folder.path("charter.toml"), "--json"}).out)["fields"];
  };
  const Json usual = fields({});
  EXPECT_EQ(usual["tuning, noise floor"], "0.05");
  EXPECT_EQ(usual["tuning, length-scale floor"], "0.5");
  EXPECT_EQ(usual["protocol, fewest agents"], "4");
  EXPECT_EQ(usual["model, fusion"], "rbcm");
  EXPECT_EQ(usual["model, landmarks"], "auto");
  EXPECT_EQ(fields({"--landmarks", "40"})["model, landmarks"], "40");
  EXPECT_FALSE(fields({"--landmarks", "0", "--fusion", "poe"}).contains("model, landmarks"));
  EXPECT_FALSE(fields({"--protocol", "consensus"}).contains("model, landmarks"));
  EXPECT_EQ(fields({"--no-standardise"})["tuning, noise floor"], "0.01");
  EXPECT_EQ(fields({"--collusion", "1"})["protocol, fewest agents"], "3");
  EXPECT_EQ(fields({"--protocol", "tree"})["protocol, sums"], "tree");
  EXPECT_EQ(fields({"--noise-floor", "0.4"})["tuning, noise floor"], "0.4");
  const Output check = run_tacit({"charter", "check", folder.path("charter.toml")});
  EXPECT_NE(check.out.find("allows a noise of at least 0.4"), std::string::npos) << check.out;
  const Output text = run_tacit({"charter", "explain", folder.path("charter.toml")});
  EXPECT_EQ(text.exit_code, 0) << text.err;
  EXPECT_NE(text.out.find("What is not promised"), std::string::npos);
  const Output markdown = run_tacit({"charter", "explain", folder.path("charter.toml"), "--markdown"});
  EXPECT_NE(markdown.out.find("\n## What is not promised\n"), std::string::npos);
}

TEST_F(CharterCommand, BadInputIsRefused) {
  refused(make({"--column", "age"}), {"--column age", "low..high"});
  refused(make({"--column", "age:9..1"}), {"--column"});
  refused(make({"--column", "age:0..1"}), {"columns.targets"});
  refused(make({"--column", "y:0..1:target"}), {"columns.inputs"});
  refused(make({"--data", folder.path("nothing.csv"), "--target", "y"}), {"nothing.csv"});
  refused(make({"--data", TACIT_SOURCE_DIR "/data/diabetes.csv", "--target", "z"}), {"z"});
  const std::vector<std::string> columns = {"--column", "x:0..1", "--column", "y:0..1:target"};
  const auto with = [&](std::vector<std::string> more) {
    more.insert(more.end(), columns.begin(), columns.end());
    return make(more);
  };
  refused(with({"--address", "nobody=1.2.3.4:5"}), {"nobody"});
  refused(with({"--collusion", "3"}), {"protocol.collusion", "0 to 2"});
  refused(with({"--fewest", "2"}), {"protocol.fewest_agents"});
  refused(with({"--fewest", "3"}), {"protocol.fewest_agents", "collusion + 2 = 4"});
  refused(with({"--noise-floor", "0.6"}), {"tuning.noise_floor", "model.noise = 0.5"});
  refused(with({"--landmarks", "some"}), {"--landmarks some", "auto, or a whole number from 0 to 1000"});
  refused(with({"--landmarks", "1001"}), {"--landmarks 1001"});
  refused(with({"--topology", "ring:9"}), {"ring"});
  refused(with({"--card", card("a")}), {"two cards", "name the agent a;"});
  EXPECT_FALSE(std::filesystem::exists(folder.path("charter.toml")));
  ASSERT_EQ(with({}).exit_code, 0);
  refused(with({}), {"--force"});
  refused(run_tacit({"charter", "sign", folder.path("charter.toml")}), {"--identity"});
  refused(run_tacit({"charter", "sign", folder.path("charter.toml"), "--identity", folder.path("nowhere")}),
          {"keygen"});
  refused(run_tacit({"charter", "check", folder.path("a/card.toml")}), {"not a charter"});
  refused(run_tacit({"charter"}), {"charter"});
}

// tacit audit and the check of a charter report the same about a network and a protocol. The charter's
// explanation has the same numbers: h, h*, collusion, blinding and trajectory.
TEST_F(CharterCommand, AuditCheckAndExplainAgree) {
  const std::string file = folder.path("charter.toml");
  const auto agree = [&](std::vector<std::string> network, std::vector<std::string> audited,
                         const std::vector<std::string>& explained) {
    network.insert(network.end(), {"--column", "age:0..120", "--column", "y:0..400:target", "--force"});
    ASSERT_EQ(make(network).exit_code, 0);
    const Json check = Json::parse(run_tacit({"charter", "check", file, "--json"}).out);
    audited.insert(audited.begin(), "audit");
    audited.insert(audited.end(), {"--agents", "4", "--json"});
    const Json audit = Json::parse(run_tacit(audited).out);
    ASSERT_FALSE(audit["findings"].empty());
    for (const Json& finding : audit["findings"])
      EXPECT_EQ(std::count(check["notes"].begin(), check["notes"].end(), finding), 1)
          << finding << " is not in " << check["notes"];
    const bool met = std::none_of(
        check["problems"].begin(), check["problems"].end(),
        [](const Json& problem) { return problem.get<std::string>().starts_with("protocol.collusion"); });
    EXPECT_EQ(audit["requirement_met"], met) << check["problems"];
    std::string page;  // without line breaks
    for (const char c : run_tacit({"charter", "explain", file}).out)
      if (!(c == ' ' && page.ends_with(' '))) page += c == '\n' ? ' ' : c;
    for (const std::string& words : explained)
      EXPECT_NE(page.find(words), std::string::npos) << "'" << words << "' is not in: " << page;
  };
  agree({"--protocol", "consensus"},
        {"--protocol", "consensus", "--topology", "complete", "--masks", "seeded", "--acceleration",
         "chebyshev", "--blinding", "40", "--dimension", "20000", "--require", "1"},
        {"No coalition of up to 2 agents can compute the value of another party from all rounds",
         "In a run of 20000 numbers", "does not hide the values is at most 1.5e-07"});
  agree({"--protocol", "consensus", "--topology", "ring:2", "--points", "50"},
        {"--protocol", "consensus", "--topology", "ring:2", "--masks", "seeded", "--acceleration",
         "chebyshev", "--blinding", "40", "--dimension", "100", "--require", "1"},
        {"In a run of 100 numbers", "does not hide the values is at most 7.3e-10"});
  agree({"--collusion", "1"}, {"--topology", "complete", "--collusion", "1", "--require", "1"},
        {"A coalition of up to 1 agent may share all that it has"});
}

}  // namespace
}  // namespace tacit::testing
