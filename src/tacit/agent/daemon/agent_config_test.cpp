#include "tacit/agent/daemon/agent_config.hpp"

#include <gtest/gtest.h>

#include "tacit/identity/identity_testing.hpp"

namespace tacit {
namespace {

using namespace testing;

const std::string whole =
    "agent = 1\ncharter = \"charter.toml\"\nidentity = \"keys\"\ndata = \"/data/rows.csv\"\nlisten = "
    "\"0.0.0.0:7500\"\nstate = \"state\"\n";

TEST(AgentConfig, PathsAreTakenFromTheFilesFolder) {
  const AgentConfig config = parse_agent_config("/etc/tacit/agent.toml", whole);
  EXPECT_EQ(config.charter, "/etc/tacit/charter.toml");
  EXPECT_EQ(config.data.rows.file, "/data/rows.csv");
  EXPECT_EQ(config.control, "/etc/tacit/state/control.sock");
  EXPECT_FALSE(config.data.holdout);
  EXPECT_EQ(config.data.how.settings, SettingsIn::agent_toml);
  EXPECT_EQ(config.policy.fewest, 3u);
  EXPECT_TRUE(config.policy.without.empty());
  EXPECT_EQ(config.policy.may.at(RequestKind::fit), std::vector<std::string>{"*"});
}

TEST(AgentConfig, ReadsBackWhatItWrites) {
  AgentConfig config = parse_agent_config("/x/agent.toml", whole);
  EXPECT_FALSE(config.metrics);
  EXPECT_FALSE(config.page);
  EXPECT_FALSE(config.name);
  config.name = "bonn";
  config.metrics = "127.0.0.1:9464";
  config.page = "[::1]:8741";
  config.data.holdout = RowSource{"/x/held.csv"};
  config.data.how.delimiter = '\t';
  config.data.how.decimal_comma = true;
  config.data.how.missing = Missing::drop;
  config.data.how.missing_values = {{"chol \"total\"", {"0", "unknown"}}, {"bp", {"-1"}}};
  config.data.how.slash_dates = SlashDates::day_first;
  config.data.how.variables = {"X", "y"};
  config.json_log = true;
  config.log_level = LogLevel::debug;
  config.policy.fewest = 4;
  config.policy.without = {"dresden", "essen"};
  config.policy.most_opened = 0.75;
  config.policy.a_day = {{RequestKind::predict, 500}, {RequestKind::fit, 2}};
  config.policy.may = {{RequestKind::fit, {"b"}}, {RequestKind::predict, {"*"}}, {RequestKind::evaluate, {}}};
  const AgentConfig again = parse_agent_config("/x/agent.toml", to_toml(config));
  EXPECT_EQ(again.name, "bonn");
  EXPECT_EQ(again.metrics, config.metrics);
  EXPECT_EQ(again.page, config.page);
  EXPECT_EQ(again.log_level, LogLevel::debug);
  EXPECT_EQ(to_toml(again), to_toml(config));
  EXPECT_EQ(again.policy.may, config.policy.may);
  EXPECT_EQ(again.policy.without, config.policy.without);
  EXPECT_EQ(again.policy.most_opened, 0.75);
  EXPECT_EQ(again.policy.a_day, config.policy.a_day);
  EXPECT_EQ(again.data.holdout->file, "/x/held.csv");
  EXPECT_EQ(again.data.how.delimiter, '\t');
  EXPECT_EQ(again.data.how.missing, Missing::drop);
}

TEST(AgentConfig, RowsMayBeInSeveralFilesOrSharesOfAQuery) {
  const std::string head =
      "agent = 1\ncharter = \"c\"\nidentity = \"k\"\nlisten = \"a:1\"\nstate = \"s\"\n[data]\n";
  const AgentConfig list = parse_agent_config("/x/agent.toml", head + "files = [\"a.csv\", \"/y/b.csv\"]\n");
  EXPECT_EQ(list.data.rows.file, "/x/a.csv");
  EXPECT_EQ(list.data.rows.more, std::vector<std::filesystem::path>{"/y/b.csv"});
  EXPECT_EQ(list.data.rows.name(), "/x/a.csv and 1 more file");
  EXPECT_EQ(to_toml(parse_agent_config("/x/agent.toml", to_toml(list))), to_toml(list));
  const AgentConfig query = parse_agent_config(
      "/x/agent.toml",
      head +
          "connection = \"sqlite://r.db\"\nsql = \"SELECT * FROM r WHERE id % {shares} = {share}\"\n"
          "shares = 64\n");
  EXPECT_EQ(query.data.rows.shares, 64u);
  EXPECT_EQ(to_toml(parse_agent_config("/x/agent.toml", to_toml(query))), to_toml(query));
  const auto says_of = [&](const std::string& data) {
    return refusal([&] { parse_agent_config("/x/agent.toml", head + data); });
  };
  EXPECT_TRUE(says(says_of("files = []\n"), "data.files: this must name at least one file"));
  EXPECT_TRUE(says(says_of("files = [\"a\"]\nfile = \"b\"\n"), "only one of file, files, connection"));
  EXPECT_TRUE(says(says_of("files = [\"\"]\n"), "data.files: this must name a file"));
  EXPECT_TRUE(says(says_of("file = \"a\"\nshares = 0\n"), "data.shares"));
}

TEST(AgentConfig, TheSectionDataHasTheReadSettings) {
  const std::string rest = whole.substr(0, whole.find("data = ")) + whole.substr(whole.find("listen"));
  const AgentData data =
      parse_agent_config("/x/agent.toml", rest +
                                              "[data]\nfile = \"rows.csv\"\nholdout = "
                                              "\"/h/held.csv\"\ndelimiter = \"semicolon\"\n"
                                              "decimal = \"comma\"\nmissing = \"drop\"\n"
                                              "missing_values = [\"chol:0|unknown\", \"bp:-1\"]\n"
                                              "variables = [\"X\"]\n")
          .data;
  EXPECT_EQ(data.rows.file, "/x/rows.csv");
  EXPECT_EQ(data.holdout->file, "/h/held.csv");
  EXPECT_EQ(data.how.delimiter, ';');
  EXPECT_TRUE(data.how.decimal_comma);
  EXPECT_EQ(data.how.missing, Missing::drop);
  ASSERT_EQ(data.how.missing_values.size(), 2u);
  EXPECT_EQ(data.how.missing_values[0].column, "chol");
  EXPECT_EQ(data.how.missing_values[0].words, (std::vector<std::string>{"0", "unknown"}));
  EXPECT_EQ(data.how.variables, std::vector<std::string>{"X"});
  EXPECT_EQ(data.how.settings, SettingsIn::agent_toml);

  const auto said = [&](const std::string& lines, const std::string& above = "") {
    return refusal([&] { parse_agent_config("/x/agent.toml", above + rest + "[data]\n" + lines); });
  };
  EXPECT_TRUE(says(said("decimal = \"comma\"\n"), "line 6, data.file: this field is missing"));
  EXPECT_TRUE(says(said("file = \"a\"\ndecimal = \",\"\n"),
                   "line 8, data.decimal: [data] decimal , is unknown; use point or comma"));
  EXPECT_TRUE(says(said("file = \"a\"\nmissing = \"keep\"\n"),
                   "data.missing: [data] missing keep is unknown; use error or drop"));
  EXPECT_TRUE(says(said("file = \"a\"\nmissing_values = [\"chol\"]\n"),
                   "line 8, data.missing_values: [data] missing_values chol has no value"));
  EXPECT_TRUE(says(said("file = \"a\"\ndecmal = \"comma\"\n"),
                   "line 8, data.decmal: this field is unknown; did you mean decimal?"));
  EXPECT_TRUE(says(said("file = \"a\"\n", "holdout = \"h\"\n"),
                   "line 1, holdout: move this field into the section [data]"));
  EXPECT_TRUE(says(refusal([&] {
                     parse_agent_config("/x/agent.toml", "agent = 1\n[data]\nfile = \"a\"\n" +
                                                             rest.substr(rest.find("charter")));
                   }),
                   "line 4, data.charter: this field is below [data]"));
}

TEST(AgentConfig, RowsMayComeFromADatabase) {
  const std::string rest = whole.substr(0, whole.find("data = ")) + whole.substr(whole.find("listen"));
  const auto config = [&](const std::string& lines) {
    return parse_agent_config("/x/agent.toml", rest + "[data]\n" + lines);
  };
  const AgentConfig server = config(
      "connection = \"postgresql://ann@db:5432/clinic?sslmode=require\"\nsql = \"SELECT * FROM a ORDER BY "
      "id\"\n"
      "holdout_sql = \"SELECT * FROM b\"\npassword_file = \"password\"\nmissing = \"drop\"\n");
  EXPECT_EQ(server.data.rows.file, "postgresql://ann@db:5432/clinic?sslmode=require");
  EXPECT_EQ(server.data.rows.name(), "postgresql://ann@db:5432/clinic");
  EXPECT_EQ(server.data.rows.sql, "SELECT * FROM a ORDER BY id");
  EXPECT_EQ(server.data.holdout->file, server.data.rows.file);
  EXPECT_EQ(server.data.holdout->sql, "SELECT * FROM b");
  EXPECT_EQ(server.data.how.password_file, "/x/password");
  EXPECT_EQ(server.data.how.missing, Missing::drop);
  EXPECT_EQ(to_toml(parse_agent_config("/x/agent.toml", to_toml(server))), to_toml(server));

  const AgentData file = config("connection = \"sqlite://my/clinic.db\"\nholdout = \"held.csv\"\n").data;
  EXPECT_EQ(file.rows.file, "sqlite:///x/my/clinic.db");
  EXPECT_EQ(file.holdout->file, "/x/held.csv");
  EXPECT_EQ(config("connection = \"sqlite:///my/clinic.db\"\n").data.rows.file, "sqlite:///my/clinic.db");

  const auto said = [&](const std::string& lines) { return refusal([&] { config(lines); }); };
  EXPECT_TRUE(says(said("connection = \"rows.csv\"\n"),
                   "data.connection: this must begin with postgresql:// or sqlite://"));
  EXPECT_TRUE(says(said("file = \"a\"\nconnection = \"sqlite://b\"\n"),
                   "line 8, data.connection: rows come from a file or from a database"));
  EXPECT_TRUE(says(said("connection = \"sqlite://b\"\nholdout = \"h\"\nholdout_sql = \"SELECT\"\n"),
                   "line 9, data.holdout_sql: rows are held out by a file or by a query"));
}

TEST(AgentConfig, AFolderStandsForItsFile) {
  const ScratchFolder folder;
  EXPECT_TRUE(
      says(refusal([&] { read_agent_config(folder.path); }), "there is no agent.toml in this folder"));
  folder.write("agent.toml", whole);
  EXPECT_EQ(read_agent_config(folder.path).state, folder.path / "state");
  EXPECT_EQ(read_agent_config(folder.path / "agent.toml").state, folder.path / "state");
}

TEST(AgentConfig, ErrorsPointAtLineAndField) {
  const auto said = [](const std::string& text) {
    return refusal([&] { parse_agent_config("/x/agent.toml", text); });
  };
  EXPECT_TRUE(says(said("x = 1"), "not an agent's configuration"));
  EXPECT_TRUE(says(said("agent = 2\nsomething = \"new\"\n"),
                   "/x/agent.toml was written by a newer Tacit (format 2, this program"));
  for (const char* address : {"0.0.0.0:9464", "10.0.0.7:9464", "[::]:9464", "hospital.example:9464"}) {
    EXPECT_TRUE(says(said(whole + "[metrics]\nlisten = \"" + address + "\"\n"),
                     "metrics.listen: metrics are available only on this machine"))
        << address;
    EXPECT_TRUE(says(said(whole + "[page]\nlisten = \"" + address + "\"\n"),
                     "page.listen: the page is available only on this machine"))
        << address;
  }
  EXPECT_TRUE(says(said("agent = 1\n"), "charter: this field is missing"));
  EXPECT_TRUE(
      says(said(whole + "[policy]\nfewest_agents = 2\n"), "agent.toml, line 8, policy.fewest_agents"));
  EXPECT_TRUE(says(said(whole + "polcy = 2\n"), "line 7, polcy: this field is unknown"));
  EXPECT_TRUE(
      says(said(whole + "[policy]\nfewest_agents = 3\n[policy.may]\nfit = [\"*\"]\npredict = [\"A!\"]\n"),
           "policy.may.predict"));
  EXPECT_TRUE(says(said(whole + "[policy]\nfewest_agents = 3\nwithout = [\"A!\"]\n"), "policy.without"));
  EXPECT_TRUE(says(said(whole + "[policy]\nfewest_agents = 3\nmost_opened = -1\n"), "policy.most_opened"));
  EXPECT_TRUE(says(said(whole + "control = \"" + std::string(120, 'x') + "\"\n"), "107"));
  EXPECT_TRUE(says(said(whole + "[log]\nformat = \"xml\"\nlevel = \"info\"\n"), "\"text\" or \"json\""));
  EXPECT_TRUE(says(said(whole + "[log]\nformat = \"json\"\nlevel = \"quiet\"\n"),
                   "\"debug\" or \"info\" or \"warning\" or \"error\""));
}

}  // namespace
}  // namespace tacit
