// The checks before an agent starts.
#include <gtest/gtest.h>

#include "tacit/agent/daemon/key_owner.hpp"
#include "tacit/agent/daemon/preflight.hpp"
#include "tacit/agent/work/run_handler_testing.hpp"

namespace tacit {
namespace {

using namespace testing;

class BeforeTheStart : public ::testing::Test, public WorkingConsortium {};

TEST_F(BeforeTheStart, RowsOutsideTheCharterAreNamed) {
  const auto file = paper.folder.write("bad.csv",
                                       "y,age,sex \\ gender\n1,20,f\n2,130,m\n3,40,x\n400,50,f\n"
                                       "1,-1,f\n1,200,f\n1,121,m\n");
  const AgentRows read = read_rows({file}, paper.charter);
  ASSERT_EQ(read.bad.size(), 3u);
  std::vector<std::string> messages, quietly;
  for (const BadSentence& one : read.bad) {
    messages.push_back(one.text);
    quietly.push_back(one.quietly);
  }
  EXPECT_TRUE(says(messages[0],
                   "bad.csv, column \"age\": 4 cells are outside the charter's range 0 to 120 (\"130\" in "
                   "line 3, \"-1\" in line 6, \"200\" in line 7, ...); the column goes from -1 to 200."))
      << messages[0];
  EXPECT_TRUE(says(messages[1],
                   "line 4, column \"sex \\\\ gender\": the cell \"x\" is not among the charter's levels; "
                   "the column also has \"x\"."))
      << messages[1];
  EXPECT_TRUE(says(messages[2],
                   "line 5, column \"y\": the cell \"400\" is outside the charter's range -1.5 to 346.25"));
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

TEST_F(BeforeTheStart, PreflightFindsWhatIsWrong) {
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
  EXPECT_FALSE(says(errors(true), "200"));  // the value of a cell is not logged
  config.data.holdout = RowSource{paper.folder.write("held.csv", "y,age,sex \\ gender\n1,4711?,f\n")};
  EXPECT_TRUE(says(errors(), "4711?"));
  EXPECT_TRUE(says(errors(true), "held.csv, line 2, column \"age\": the cell contains more than a number"))
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
  // Everything else can be checked before all have signed.
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

// agent.toml has the keys of another member. Its listen or its state folder shows whose it is.
TEST_F(BeforeTheStart, KeysOfAnotherMemberAreRefused) {
  const auto address = [](int port) { return "127.0.0.1:" + std::to_string(port); };
  for (AgentId i = 0; i < 4; ++i) paper.charter.agents[i].address = address(7500 + static_cast<int>(i));
  paper.sign_all();
  AgentConfig config = config_of_b(paper, 10);
  const auto errors = [&](Signing signing = Signing::required) {
    std::string all;
    for (const Finding& finding : preflight(config, signing).findings)
      if (finding.kind == Finding::Kind::error) all += finding.text + '\n';
    return all;
  };
  EXPECT_EQ(errors(), "");
  config.identity = paper.folder.path / "agent-c";
  for (const char* listen : {"127.0.0.1:7501", "0.0.0.0:7501", "localhost:7501"}) {
    config.listen = listen;
    const std::string message =
        "agent-c are those of agent-c, but this agent listens on " + config.listen +
        ", the address of agent-b in the charter; set identity to the keys of agent-b";
    EXPECT_TRUE(says(errors(), message)) << errors();
    EXPECT_TRUE(says(errors(Signing::awaited), message)) << errors();
  }
  config.listen = "127.0.0.1:7509";  // behind a gateway: only a warning
  EXPECT_EQ(errors(), "");
  config.listen = "127.0.0.1:7502";
  EXPECT_EQ(errors(), "");
  std::filesystem::create_directories(config.state);
  record_member(config.state, "agent-b");
  EXPECT_TRUE(says(errors(), "agent-c are those of agent-c, but the state folder")) << errors();
  EXPECT_TRUE(says(errors(), "belongs to agent-b; set identity to the keys of agent-b")) << errors();
  record_member(config.state, "agent-c");
  EXPECT_EQ(errors(), "");
  config.listen = "127.0.0.1:7501";  // the state folder shows that these are its keys
  EXPECT_EQ(errors(), "");
}

TEST(Reachable, DistinguishesOpenFromClosedPorts) {
  EXPECT_FALSE(reachable("127.0.0.1:1", std::chrono::milliseconds(500)));
  EXPECT_FALSE(reachable("no-such-host.invalid:1", std::chrono::milliseconds(500)));
}

}  // namespace
}  // namespace tacit
