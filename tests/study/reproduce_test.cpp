// tacit reproduce as researchers run it.
#include <gtest/gtest.h>

#include <set>

#include "program_json_testing.hpp"

namespace tacit::testing {
namespace {

const std::string shared_data = TACIT_SOURCE_DIR "/../shared/data";

bool has(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

TEST(Reproduce, WithoutSarcosNamesItsSourceAndRunsTheRest) {
  const Folder folder;
  const Output output = run_tacit({"reproduce", "tuning", "--data-dir", folder.path("")});
  EXPECT_EQ(output.exit_code, 0) << output.err;
  EXPECT_TRUE(has(output.err, "no SARCOS file in " + folder.path("").substr(0, folder.path("").size() - 1)))
      << output.err;
  EXPECT_TRUE(has(output.err, "gaussianprocess.org/gpml/data")) << output.err;
  EXPECT_TRUE(has(output.out, "| Diabetes | ∇h_i/N_i   | 1/40 |")) << output.out;
  EXPECT_FALSE(has(output.out, "| SARCOS")) << output.out;
  EXPECT_FALSE(has(output.err, "\r")) << "a pipe gets no progress bar";
}

TEST(Reproduce, WritesTablesDataReportAndFigures) {
  const Folder folder;
  const std::string out = folder.path("new/deep");
  const Output output = run_tacit({"reproduce", "all", "--repeats", "1", "--rivals", "none", "--out", out,
                                   "--data-dir", folder.path("")});
  ASSERT_EQ(output.exit_code, 0) << output.err;
  std::set<std::string> files;
  for (const auto& entry : std::filesystem::directory_iterator(out)) files.insert(entry.path().filename());
  EXPECT_EQ(files, (std::set<std::string>{"accuracy.csv", "accuracy.json", "accuracy.svg", "causes.csv",
                                          "causes.json", "figures.py", "report.md", "table.csv", "table.json",
                                          "table.svg", "tuning.csv", "tuning.json", "tuning.svg"}));
  const Json table = Json::parse(content(out + "/table.json"));
  EXPECT_EQ(table["rows"][0]["published"]["rmse_mean"]["ours"], "0.0128");
  EXPECT_EQ(table["rows"][0]["traffic"]["messages"], 18000);
  EXPECT_TRUE(table["rows"][0]["seconds"]["network"]["mean"].is_number());
  const auto row_of = [&](const char* variant) {
    for (const Json& row : table["rows"])
      if (row["variant"] == variant) return row;
    return Json();
  };
  EXPECT_EQ(row_of("landmarks, together")["landmarks"], 42);
  EXPECT_TRUE(row_of("landmarks, at home")["test_rmse"]["mean"].is_number());
  EXPECT_EQ(row_of("alone")["traffic"]["messages"], 0);
  const Json tuning = Json::parse(content(out + "/tuning.json"));
  EXPECT_EQ(tuning["runs"].size(), 4u);
  EXPECT_EQ(tuning["runs"][0]["agents"].size(), 20u);
  EXPECT_EQ(tuning["runs"][0]["agents"][0]["lengthscale"].size(), 31u);
  const std::string report = content(out + "/report.md");
  for (const char* part :
       {"## Tuning", "## Accuracy", "## Table", "How time is counted", "Ours, with options",
        "Other models of the same rows", "## Causes", "![table](table.svg)", "(one draw)",
        "Left out:", "Left out because of --rivals: both rivals", "![tuning](tuning.svg)",
        "[table.csv](table.csv)", "no SARCOS file"})
    EXPECT_TRUE(has(report, part)) << part;
  EXPECT_TRUE(has(output.out, "## Table"));
}

TEST(Reproduce, MeasuresRivalsWhereAskedTo) {
  const Folder folder;
  const std::string out = folder.path("out");
  const Output output = run_tacit({"reproduce", "table", "--repeats", "1", "--rivals", "shares", "--out", out,
                                   "--data-dir", folder.path("")});
  ASSERT_EQ(output.exit_code, 0) << output.err;
  const Json table = Json::parse(content(out + "/table.json"));
  EXPECT_EQ(table["settings"]["rivals"], "shares");
  std::set<std::string> rivals;
  for (const Json& row : table["rows"])
    if (row.contains("rival")) {
      rivals.insert(row["variant"]);
      EXPECT_TRUE(row["seconds"]["total_all_agents"]["mean"].is_number());
      EXPECT_LT(row["rmse_mean"]["mean"], 0.01);
      EXPECT_EQ(row["rival"]["published"]["rmse_mean"], row["agents"] == 10 ? "0.0003" : "0.0002");
    }
  EXPECT_EQ(rivals, std::set<std::string>{"[11] two servers"});
  EXPECT_EQ(table["growth"].size(), 6u);  // two variants of ours and a rival, by number of agents and by rows
  EXPECT_EQ(table["libraries"].size(), 2u);
  for (const char* name : {"table.svg", "growth.svg"})
    EXPECT_TRUE(has(content(out + "/" + name), "</svg>")) << name;
  EXPECT_TRUE(has(content(out + "/report.md"), "![growth](growth.svg)"));
  EXPECT_TRUE(has(output.out, "### The rivals, phase by phase"));
}

TEST(Reproduce, ResultsDependOnTheSeedAlone) {
  const Folder folder;
  const std::vector<std::string> base{"reproduce", "accuracy", "--json", "--data-dir", folder.path("")};
  const auto with = [&](std::vector<std::string> more) {
    more.insert(more.begin(), base.begin(), base.end());
    return Json::parse(run_tacit(more).out)["accuracy"];
  };
  const Json one = with({"--threads", "1"});
  EXPECT_EQ(one["curves"].size(), 3u);
  EXPECT_EQ(one, with({"--threads", "3"}));
  EXPECT_NE(one, with({"--seed", "2"}));
}

TEST(Reproduce, SarcosRunsWhereItIs) {
  if (!std::filesystem::exists(shared_data + "/sarcos.csv")) GTEST_SKIP() << "../shared/data is absent";
  const Folder folder;
  const Output output =
      run_tacit({"reproduce", "tuning", "--data-dir", shared_data, "--json", "--out", folder.path("out")});
  ASSERT_EQ(output.exit_code, 0) << output.err;
  const Json runs = Json::parse(output.out)["tuning"]["runs"];
  ASSERT_EQ(runs.size(), 8u);
  EXPECT_EQ(runs[0]["data"], "SARCOS");
  EXPECT_LT(runs[0]["spread"]["lengthscale"].get<double>(),
            0.5);  // with gradients per row, the agents' values converge
  EXPECT_GT(runs[0]["likelihood"]["after"], runs[0]["likelihood"]["before"]);
  EXPECT_FALSE(has(output.err, "no SARCOS"));
}

// After an interrupt at any moment, every file is complete and no temporary file remains.
TEST(Reproduce, AnInterruptLeavesCompleteFilesOnly) {
  for (const int after : {30, 150, 400, 700, 1000, 1500, 2200, 3000, 4000}) {
    const Folder folder;
    const std::string out = folder.path("out");
    const Output output = run_tacit({"reproduce", "all", "--repeats", "1", "--rivals", "none", "--out", out,
                                     "--data-dir", folder.path("")},
                                    after);
    EXPECT_TRUE(output.exit_code == 128 + SIGINT || output.exit_code == 0) << output.exit_code;
    if (!std::filesystem::exists(out)) continue;
    for (const auto& entry : std::filesystem::directory_iterator(out)) {
      const std::string name = entry.path().filename(), text = content(entry.path());
      EXPECT_NE(name[0], '.') << name;
      if (name.ends_with(".json")) {
        EXPECT_TRUE(Json::accept(text)) << name;
      } else if (name.ends_with(".svg")) {
        EXPECT_TRUE(has(text, "</svg>")) << name;
      } else {
        EXPECT_EQ(text.back(), '\n') << name;
      }
    }
  }
}

TEST(Reproduce, BadInputGetsOneSentence) {
  const Folder folder;
  const std::string file = folder.write("file", "text");
  const std::string broken = folder.path("broken");
  std::filesystem::create_directory(broken);
  std::ofstream(broken + "/sarcos_inv.mat") << "not a MATLAB file";
  std::filesystem::create_directory(folder.path("short"));
  std::ofstream(folder.path("short") + "/sarcos.csv") << "q1,q2\n1,2\n";
  const struct {
    std::vector<std::string> arguments;
    const char* says;
  } cases[] = {
      {{"reproduce"}, "name a part to reproduce; parts are tuning, accuracy, table, causes and all"},
      {{"reproduce", "figures"}, "there is no part 'figures'"},
      {{"reproduce", "table", "--repeats", "0"}, "--repeats"},
      {{"reproduce", "table", "--noise", "0"}, "--noise 0 is not between"},
      {{"reproduce", "table", "--variance", "both"}, "--variance"},
      {{"reproduce", "table", "--tune-gradient", "up"}, "--tune-gradient"},
      {{"reproduce", "table", "--rivals", "all"}, "--rivals"},
      {{"reproduce", "table", "--out", file}, "is not a writable folder"},
      {{"reproduce", "table", "--data-dir", folder.path("nowhere")}, "is not a folder"},
      {{"reproduce", "table", "--data-dir", broken}, "sarcos_inv.mat: this cannot be read as a MATLAB file"},
      {{"reproduce", "table", "--data-dir", folder.path("short")}, "sarcos.csv"},
  };
  for (const auto& c : cases) {
    const Output output = run_tacit(c.arguments);
    EXPECT_EQ(output.exit_code, 2) << c.says << output.err;
    EXPECT_TRUE(has(output.err, c.says)) << c.says << " not in: " << output.err;
    EXPECT_EQ(output.out, "");
    EXPECT_LE(std::count(output.err.begin(), output.err.end(), '\n'), 2) << output.err;
  }
}

}  // namespace
}  // namespace tacit::testing
