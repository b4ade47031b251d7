// tacit audit as users run it.
#include <gtest/gtest.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "program_testing.hpp"

namespace tacit::testing {
namespace {

using Json = nlohmann::json;

class Audit : public ::testing::Test {
 protected:
  Folder folder;
  std::string bow_tie = "edges:" + folder.write("bow.txt", "0 1\n0 2\n1 2\n0 3\n0 4\n3 4\n");
  std::string strip = "edges:" + folder.write("strip.txt", "0 1\n0 2\n1 2\n1 3\n2 3\n2 4\n3 4\n");

  static Output run(std::vector<std::string> arguments) {
    arguments.insert(arguments.begin(), "audit");
    return run_tacit(arguments);
  }
  static Output consensus(std::vector<std::string> arguments) {
    arguments.insert(arguments.end(), {"--protocol", "consensus"});
    return run(std::move(arguments));
  }
  static void refused(std::vector<std::string> arguments, const std::vector<std::string>& words) {
    const Output output = run(std::move(arguments));
    EXPECT_EQ(output.exit_code, 2) << output.err;
    EXPECT_EQ(output.out, "");
    EXPECT_EQ(std::count(output.err.begin(), output.err.end(), '\n'), 1) << output.err;
    for (const std::string& word : words)
      EXPECT_NE(output.err.find(word), std::string::npos) << "'" << word << "' is not in: " << output.err;
  }
};

TEST_F(Audit, ExactSumsShowTheSumOnly) {
  const Output output = run({"--agents", "12", "--json"});
  ASSERT_EQ(output.exit_code, 0) << output.err;
  const auto report = nlohmann::json::parse(output.out);
  EXPECT_EQ(report["protocol"], "exact");
  EXPECT_EQ(report["collusion"], 10);
  EXPECT_EQ(report["trajectory"]["rank"], 2);
  EXPECT_TRUE(report["trajectory"]["singled_out"].empty());
  // Partners from a Harary graph: the bound follows from the mask graph and is the requested number or one
  // more.
  const auto few =
      nlohmann::json::parse(run({"--protocol", "exact", "--agents", "40", "--collusion", "4", "--json"}).out);
  EXPECT_EQ(few["collusion"], 5);
  EXPECT_EQ(few["mask_degree"], 6);
  EXPECT_EQ(run({"--protocol", "exact", "--agents", "40", "--collusion", "4", "--require", "6"}).exit_code,
            1);
}

TEST_F(Audit, JsonHasWhatTheIssuePromises) {
  const Output output = consensus({"--topology", bow_tie, "--json"});
  ASSERT_EQ(output.exit_code, 0) << output.err;
  EXPECT_EQ(output.err, "");
  const Json got = Json::parse(output.out);
  EXPECT_EQ(got["collusion_paper"], 1);
  EXPECT_EQ(got["collusion"], 0);
  EXPECT_EQ(got["witness"]["agent"], 0);
  EXPECT_EQ(got["witness"]["coalition"], Json::array({0}));
  EXPECT_EQ(got["witness"]["parts"], Json::parse("[[1,2],[3,4]]"));
  EXPECT_TRUE(got["trajectory"]["rank"].is_number_unsigned());
  EXPECT_TRUE(got["trajectory"]["singled_out"].is_array());
  EXPECT_EQ(got["trajectory"]["error"].size(), 5u);
}

// Findings 1b from the command line.
TEST_F(Audit, TheEndOfTheStrip) {
  const std::vector<std::string> asked = {"--topology",    strip, "--lz",        "9.5367431640625e-07",
                                          "--iterations",  "20",  "--coalition", "0",
                                          "--value-bound", "10"};
  std::vector<std::string> json = asked;
  json.push_back("--json");
  const Json got = Json::parse(run(json).out);
  EXPECT_EQ(got["trajectory"]["rank"], 5);
  EXPECT_EQ(got["trajectory"]["singled_out"], Json({1, 2, 3, 4}));
  EXPECT_TRUE(got["trajectory"]["error"][0].is_null());
  for (int i = 1; i < 5; ++i) {
    EXPECT_LT(got["trajectory"]["error"][i].get<double>(), 2e-4);
    EXPECT_GT(got["trajectory"]["error"][i].get<double>(), 1e-6);
  }
  EXPECT_NE(run(asked).out.find("Agent 0 alone can estimate the values of agents 1, 2, 3 and 4"),
            std::string::npos);
}

TEST_F(Audit, RequirementSetsTheExitCode) {
  EXPECT_EQ(consensus({"--topology", bow_tie, "--require", "1"}).exit_code, 1);
  const auto blinded = [&](std::vector<std::string> more) {
    more.insert(more.end(), {"--masks", "seeded", "--acceleration", "chebyshev", "--blinding"});
    return run(more);
  };
  EXPECT_EQ(blinded({"--topology", "ring:4", "--agents", "8", "--require", "3"}).exit_code, 0);
  EXPECT_EQ(consensus({"--topology", "complete", "--agents", "8", "--require", "6"}).exit_code, 0);
  const Output json = consensus({"--topology", "ring:4", "--agents", "8", "--require", "2", "--json"});
  EXPECT_EQ(json.exit_code, 1);
  EXPECT_EQ(Json::parse(json.out)["requirement_met"], false);  // the report is written nevertheless
}

// Findings 8: h is 5, but two agents can compute the value of a third after one round.
TEST_F(Audit, RequirementNamesWhoLearnsWhat) {
  std::string edges;
  for (int a = 0; a < 8; ++a)
    for (int b = a + 1; b < 8; ++b)
      if (a != 0 || b != 1) edges += std::to_string(a) + " " + std::to_string(b) + "\n";
  const std::string topology = "edges:" + folder.write("k8.txt", edges);
  const Output output = consensus({"--topology", topology, "--require", "5", "--json"});
  EXPECT_EQ(output.exit_code, 1);
  EXPECT_NE(output.err.find("agents 0 and 2 together can compute the value of agent 1 from the messages"),
            std::string::npos)
      << output.err;
  const Json got = Json::parse(output.out);
  EXPECT_EQ(got["collusion"], 5);
  EXPECT_EQ(got["withstands_one_round"], 1);
  EXPECT_EQ(got["weakest"]["coalition"], Json({0, 2}));
  EXPECT_EQ(got["weakest"]["learns"], 1);
  EXPECT_EQ(got["search_complete"], true);
  EXPECT_EQ(consensus({"--topology", topology, "--require-masks", "5"}).exit_code, 0);
  EXPECT_EQ(consensus({"--topology", topology, "--require-masks", "6"}).exit_code, 1);
}

// The strip's masks withstand one agent, and one round reveals no single value. But over all rounds, the
// states of an end agent reveal the values of all agents. --require-masks does not consider states.
TEST_F(Audit, StatesCountForTheRequirementAndNotForThatOfMasks) {
  const std::vector<std::string> asked = {"--topology", strip, "--iterations", "30", "--json"};
  const Json got = Json::parse(run(asked).out);
  EXPECT_EQ(got["collusion"], 1);
  EXPECT_EQ(got["withstands_one_round"], 1);
  EXPECT_EQ(got["withstands_all_rounds"], 0);
  const auto with = [&](const char* option, const char* size) {
    std::vector<std::string> words = asked;
    words.insert(words.end(), {option, size});
    return run(words);
  };
  const Output broad = with("--require", "1"), narrow = with("--require-masks", "1");
  EXPECT_EQ(broad.exit_code, 1);
  EXPECT_NE(broad.err.find("from all rounds and the total (--require 1)"), std::string::npos) << broad.err;
  EXPECT_EQ(narrow.exit_code, 0) << narrow.err;
  EXPECT_EQ(Json::parse(narrow.out)["masks_requirement_met"], true);
  const Output more = with("--require-masks", "2");
  EXPECT_EQ(more.exit_code, 1);
  EXPECT_NE(more.err.find("masks withstand only coalitions of up to"), std::string::npos) << more.err;
  EXPECT_EQ(run({"--topology", strip, "--require", "3", "--require-masks", "3"}).exit_code, 0);  // exact
}

TEST_F(Audit, LandmarksAreCounted) {
  const Output output =
      run({"--landmarks", "42", "--rows", "353", "--inputs", "10", "--agents", "10", "--json"});
  ASSERT_EQ(output.exit_code, 0) << output.err;
  const Json got = Json::parse(output.out);
  EXPECT_EQ(got["opened"], 945);
  EXPECT_EQ(got["held"], 3883);
  EXPECT_EQ(got["ceiling"], 42);
  EXPECT_NEAR(got["share"].get<double>(), 945. / 3883, 1e-12);
  EXPECT_NEAR(got["share_alone"].get<double>(), 945. / (35 * 11), 1e-12);
  EXPECT_TRUE(got["attack"].is_null());
  EXPECT_EQ(Json::parse(run({"--landmarks", "4", "--rows", "50", "--inputs", "3", "--outputs", "2", "--json"})
                            .out)["opened"],
            18);
}

TEST_F(Audit, LandmarksOfSmallPoolsAreAttacked) {
  const std::vector<std::string> asked = {"--landmarks", "3", "--rows",   "12",
                                          "--inputs",    "2", "--agents", "2"};
  std::vector<std::string> json = asked;
  json.push_back("--json");
  const Json got = Json::parse(run(json).out);
  EXPECT_EQ(got["attack"]["found"]["rows"], 0);
  EXPECT_EQ(got["attack"]["within_reach"], 0);
  EXPECT_LT(got["attack"]["misfit"].get<double>(), 2);
  EXPECT_NE(run(asked).out.find("found 0 of 12 rows"), std::string::npos);
}

TEST_F(Audit, BadInputIsRefused) {
  refused({"--landmarks", "13", "--rows", "12", "--inputs", "2"}, {"13 landmarks", "12 rows"});
  refused({"--landmarks", "3", "--rows", "8", "--inputs", "2"}, {"10 agents", "8 rows"});
  refused({"--landmarks", "3", "--rows", "8"}, {"--inputs"});
  refused({"--rows", "8"}, {"--landmarks"});
  refused({"--landmarks", "0", "--rows", "8", "--inputs", "2"}, {"--landmarks"});
  refused({"--landmarks", "3", "--rows", "8", "--inputs", "2", "--topology", "complete"}, {"--topology"});
  refused({"--topology", "complete", "--agents", "4", "--coalition", "0,4"}, {"agent 4", "0 to 3"});
  refused({"--topology", "complete", "--agents", "4", "--coalition", "1,1"}, {"agent 1", "twice"});
  refused({"--topology", "complete", "--agents", "3", "--coalition", "0,1,2"}, {"all agents"});
  for (const char* text : {"0,", ",1", "a", "1;2", "-1", "1,,2", "99999999999"})
    refused({"--topology", "complete", "--agents", "4", "--coalition", text}, {"--coalition", text});
  refused({"--topology", "complete", "--agents", "4", "--size", "4"}, {"--size"});
  for (const char* protocol : {"exact", "tree", "consensus"})
    refused({"--topology", "edges:" + folder.write("apart.txt", "0 1\n2 3\n"), "--protocol", protocol},
            {"not connected"});
  refused({"--protocol", "sum"}, {"--protocol sum", "unknown"});
  refused({"--protocol", "exact", "--masks", "seeded"}, {"--masks", "--protocol consensus"});
  refused({"--protocol", "exact", "--lz", "0.1"}, {"--lz", "--protocol consensus"});
  refused({"--protocol", "exact", "--coalition", "0,10"}, {"agent 10", "0 to 9"});
  refused({"--masks", "paper"}, {"--masks paper", "unknown"});
  refused({"--acceleration", "much"}, {"--acceleration much", "unknown"});
  refused({"--coalition", "0", "--size", "2"}, {"--size", "--coalition"});
  refused({"--lz", "0"}, {"--lz"});
  refused({"--lz", "nan"}, {"--lz"});
  refused({"--value-bound", "-1"}, {"bound"});
  refused({"--iterations", "0"}, {"--iterations"});
  refused({"--blinding", "1000"}, {"--blinding"});
}

}  // namespace
}  // namespace tacit::testing
