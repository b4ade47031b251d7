// tacit keygen and tacit charter as users run them.
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "program.hpp"

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

  Said make(std::vector<std::string> more) const {
    std::vector<std::string> all = {"charter", "new"};
    for (const char* name : {"a", "b", "c", "d"}) all.insert(all.end(), {"--card", card(name)});
    all.insert(all.end(), {"-o", folder.path("charter.toml")});
    all.insert(all.end(), more.begin(), more.end());
    return run_tacit(all);
  }
  static void refused(const Said& said, const std::vector<std::string>& words) {
    EXPECT_EQ(said.exit_code, 2) << said.err;
    for (const std::string& word : words)
      EXPECT_NE(said.err.find(word), std::string::npos) << "no '" << word << "' in: " << said.err;
  }
};

TEST_F(CharterCommand, KeygenRefusesToOverwriteAndBadNames) {
  refused(run_tacit({"keygen", folder.path("a")}), {"never overwritten"});
  refused(run_tacit({"keygen", folder.path("x"), "--name", "Köln"}), {"--name", "cannot be an agent's name"});
  refused(run_tacit({"keygen", folder.path("x"), "--address", "nowhere"}), {"--address", "host:port"});
  EXPECT_FALSE(std::filesystem::exists(folder.path("x/identity.key")));
  const Json card = Json::parse(run_tacit({"keygen", folder.path("y"), "--json"}).out);
  EXPECT_EQ(card["name"], "y");
  EXPECT_EQ(card["identity"].get<std::string>().size(), 64u);
}

TEST_F(CharterCommand, NewFromDataCheckSignDiffShow) {
  const Said made =
      make({"--data", TACIT_SOURCE_DIR "/data/diabetes.csv", "--target", "y", "--topology", "ring:2"});
  ASSERT_EQ(made.exit_code, 0) << made.err;
  const std::string file = folder.path("charter.toml");
  EXPECT_EQ(run_tacit({"charter", "check", file}).exit_code, 0);
  const Json before = Json::parse(run_tacit({"charter", "check", file, "--json"}).out);
  EXPECT_EQ(before["unsigned"].size(), 4u);
  // Half sign one copy, half another; signatures are taken over.
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
  const Said diff = run_tacit({"charter", "diff", file, folder.path("changed.toml")});
  EXPECT_EQ(diff.exit_code, 1);
  EXPECT_NE(diff.out.find("protocol, most points"), std::string::npos);
  const Said changed = run_tacit({"charter", "check", folder.path("changed.toml"), "--json"});
  refused(changed, {"the signatures of a, b, c and d are void: they belong to another text"});
  EXPECT_EQ(Json::parse(changed.out)["void"].size(), 4u);
  EXPECT_EQ(Json::parse(changed.out)["signed"].size(), 0u);
  EXPECT_TRUE(Json::parse(changed.out)["problems"].empty());
  ASSERT_EQ(
      run_tacit({"charter", "sign", folder.path("changed.toml"), "--identity", folder.path("b")}).exit_code,
      0);
  const Said partly = run_tacit({"charter", "show", folder.path("changed.toml")});
  EXPECT_EQ(partly.exit_code, 0);
  EXPECT_NE(partly.out.find("Signed  by b; the signatures of a, c and d are void"), std::string::npos)
      << partly.out;
  refused(run_tacit({"charter", "sign", file, "--take", folder.path("changed.toml")}),
          {"not the same charter"});
}

TEST_F(CharterCommand, NewByHandAndWithEdges) {
  const std::string edges = folder.write("edges.txt", "0 1\n1 2\n2 3\n");
  const Said made = make({"--column", "age:0..120", "--column", "sex:f|m", "--column", "y:-5..5:target",
                          "--edges", edges, "--address", "c=10.0.0.1:1", "--force"});
  ASSERT_EQ(made.exit_code, 0) << made.err;
  const Json shown = Json::parse(run_tacit({"charter", "show", folder.path("charter.toml"), "--json"}).out);
  EXPECT_EQ(shown["fields"]["network, links"], "a-b b-c c-d");
  EXPECT_EQ(shown["fields"]["agent c, address"], "10.0.0.1:1");
  // A loopback address among others cannot be reached by the others.
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
  const Said check = run_tacit({"charter", "check", folder.path("charter.toml")});
  EXPECT_NE(check.out.find("With noise of at least 0.4"), std::string::npos) << check.out;
  const Said text = run_tacit({"charter", "explain", folder.path("charter.toml")});
  EXPECT_EQ(text.exit_code, 0) << text.err;
  EXPECT_NE(text.out.find("What is not promised"), std::string::npos);
  const Said markdown = run_tacit({"charter", "explain", folder.path("charter.toml"), "--markdown"});
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
  refused(with({"--card", card("a")}), {"two cards", "called a"});
  EXPECT_FALSE(std::filesystem::exists(folder.path("charter.toml")));
  ASSERT_EQ(with({}).exit_code, 0);
  refused(with({}), {"--force"});
  refused(run_tacit({"charter", "sign", folder.path("charter.toml")}), {"--identity"});
  refused(run_tacit({"charter", "sign", folder.path("charter.toml"), "--identity", folder.path("nowhere")}),
          {"keygen"});
  refused(run_tacit({"charter", "check", folder.path("a/card.toml")}), {"not a charter"});
  refused(run_tacit({"charter"}), {"charter"});
}

}  // namespace
}  // namespace tacit::testing
