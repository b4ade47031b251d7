#include "tacit/agent/agent_config.hpp"

#include <gtest/gtest.h>

#include "tacit/identity/testing.h"

namespace tacit {
namespace {

using namespace testing;

const std::string whole =
    "agent = 1\ncharter = \"charter.toml\"\nidentity = \"keys\"\ndata = \"/data/rows.csv\"\nlisten = "
    "\"0.0.0.0:7500\"\nstate = \"state\"\n";

TEST(AgentConfig, PathsAreTakenFromTheFilesFolder) {
  const AgentConfig config = parse_agent_config("/etc/tacit/agent.toml", whole);
  EXPECT_EQ(config.charter, "/etc/tacit/charter.toml");
  EXPECT_EQ(config.data, "/data/rows.csv");
  EXPECT_EQ(config.control, "/etc/tacit/state/control.sock");
  EXPECT_FALSE(config.holdout);
  EXPECT_EQ(config.policy.fewest, 3u);
  EXPECT_TRUE(config.policy.without.empty());
  EXPECT_EQ(config.policy.may.at(RequestKind::fit), std::vector<std::string>{"*"});
}

TEST(AgentConfig, ReadsBackWhatItWrites) {
  AgentConfig config = parse_agent_config("/x/agent.toml", whole);
  config.holdout = "/x/held.csv";
  config.json_log = true;
  config.log_level = "debug";
  config.policy.fewest = 4;
  config.policy.without = {"dresden", "essen"};
  config.policy.most_opened = 0.75;
  config.policy.a_day = {{RequestKind::predict, 500}, {RequestKind::fit, 2}};
  config.policy.may = {{RequestKind::fit, {"b"}}, {RequestKind::predict, {"*"}}, {RequestKind::evaluate, {}}};
  const AgentConfig again = parse_agent_config("/x/agent.toml", to_toml(config));
  EXPECT_EQ(to_toml(again), to_toml(config));
  EXPECT_EQ(again.policy.may, config.policy.may);
  EXPECT_EQ(again.policy.without, config.policy.without);
  EXPECT_EQ(again.policy.most_opened, 0.75);
  EXPECT_EQ(again.policy.a_day, config.policy.a_day);
  EXPECT_EQ(again.holdout, config.holdout);
}

TEST(AgentConfig, ErrorsPointAtLineAndField) {
  const auto said = [](const std::string& text) {
    return refusal([&] { parse_agent_config("/x/agent.toml", text); });
  };
  EXPECT_TRUE(says(said("x = 1"), "not an agent's configuration"));
  EXPECT_TRUE(says(said("agent = 1\n"), "charter: this field is missing"));
  EXPECT_TRUE(
      says(said(whole + "[policy]\nfewest_agents = 2\n"), "agent.toml, line 8, policy.fewest_agents"));
  EXPECT_TRUE(says(said(whole + "polcy = 2\n"), "line 7, polcy: there is no such field"));
  EXPECT_TRUE(
      says(said(whole + "[policy]\nfewest_agents = 3\n[policy.may]\nfit = [\"*\"]\npredict = [\"A!\"]\n"),
           "policy.may.predict"));
  EXPECT_TRUE(says(said(whole + "[policy]\nfewest_agents = 3\nwithout = [\"A!\"]\n"), "policy.without"));
  EXPECT_TRUE(says(said(whole + "[policy]\nfewest_agents = 3\nmost_opened = -1\n"), "policy.most_opened"));
  EXPECT_TRUE(says(said(whole + "control = \"" + std::string(120, 'x') + "\"\n"), "107"));
  EXPECT_TRUE(says(said(whole + "[log]\nformat = \"xml\"\nlevel = \"info\"\n"), "\"text\" or \"json\""));
}

}  // namespace
}  // namespace tacit
