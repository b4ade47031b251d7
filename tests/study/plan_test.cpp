// tacit plan as users run it.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "diabetes_testing.hpp"

namespace tacit::testing {
namespace {

// plan and audit describe exact sums, which agents use by default, unless an option refers to the consensus.
TEST(Plan, SpeaksOfExactUnlessAskedAboutTheConsensus) {
  for (const char* command : {"plan", "audit"}) {
    EXPECT_EQ(run_json({command})["protocol"], "exact") << command;
    EXPECT_EQ(run_json({command, "--protocol", "tree"})["protocol"], "tree") << command;
    for (const std::vector<std::string>& option : std::vector<std::vector<std::string>>{
             {"--protocol", "consensus"}, {"--masks", "seeded"}, {"--iterations", "50"}, {"--blinding"}}) {
      std::vector<std::string> words = {command};
      words.insert(words.end(), option.begin(), option.end());
      EXPECT_EQ(run_json(words)["protocol"], "consensus") << command << " " << option[0];
    }
  }
  EXPECT_EQ(run_json({"plan", "--tune-box", "0.1,10"})["protocol"], "consensus");
}

TEST(Plan, HardenedTrafficIsThatOfTheRun) {
  const std::vector<std::string> options = {
      "--topology", "ring:2", "--masks", "seeded", "--acceleration", "chebyshev", "--blinding",
      "--signal",   "300",    "--noise", "55",     "--lz",           "1e-8"};
  std::vector<std::string> plan = {"plan", "--rows", "36", "--points", "89", "--y-max", "346"};
  std::vector<std::string> simulate = {"simulate",      "--data", diabetes,  "--target", "y",
                                       "--lengthscale", "100",    "--y-max", "346"};
  plan.insert(plan.end(), options.begin(), options.end());
  simulate.insert(simulate.end(), options.begin(), options.end());
  const Json planned = run_json(plan), run = run_json(simulate);
  EXPECT_EQ(planned["masks"], "seeded");
  EXPECT_EQ(planned["acceleration"], "chebyshev");
  EXPECT_EQ(planned["blinding"], 40);
  EXPECT_EQ(planned["iterations"], run["plan"]["iterations"]);
  EXPECT_EQ(planned["traffic"]["all"]["messages"], run["traffic"]["messages"]);
  EXPECT_EQ(planned["traffic"]["all"]["bytes"], run["traffic"]["bytes"]);
}

TEST(Plan, ExactIsWhatASimulationSends) {
  const Json planned = run_json({"plan", "--protocol", "exact", "--agents", "10", "--rows", "36", "--points",
                                 "89", "--y-max", "346", "--signal", "300", "--noise", "55", "--json"});
  const Json run =
      run_json({"simulate", "--data", diabetes, "--target", "y", "--lengthscale", "100", "--signal", "300",
                "--noise", "55", "--y-max", "346", "--landmarks", "0", "--fusion", "poe"});
  EXPECT_EQ(planned["modulus_bits"], run["plan"]["modulus_bits"]);
  EXPECT_EQ(planned["traffic"]["messages"], run["traffic"]["messages"]);
  EXPECT_LT(planned["traffic"]["bytes"], run["traffic"]["bytes"]);
}

TEST(Plan, ATreeIsWhatASimulationSendsToTheByte) {
  const Json planned = run_json({"plan", "--agents", "90", "--topology", "tree:3", "--rows", "5", "--points",
                                 "42", "--y-max", "346", "--signal", "300", "--noise", "55", "--json"});
  const Json run = run_json({"simulate", "--data",      diabetes, "--target",        "y",    "--lengthscale",
                             "100",      "--signal",    "300",    "--noise",         "55",   "--y-max",
                             "346",      "--landmarks", "0",      "--fusion",        "poe",  "--agents",
                             "90",       "--topology",  "tree:3", "--test-fraction", "0.095"});
  ASSERT_EQ(run["plan"]["dimension"], planned["dimension"]);
  EXPECT_EQ(planned["modulus_bits"], run["plan"]["modulus_bits"]);
  EXPECT_EQ(planned["traffic"],
            (Json{{"messages", run["traffic"]["messages"]}, {"bytes", run["traffic"]["bytes"]}}));
  EXPECT_EQ(planned["tree"]["rounds"], run["traffic"]["rounds"]);
  EXPECT_EQ(planned["tree"]["depth"], 4);
}

TEST(Plan, ProposesAFlatterNetworkWhereOneIsDeep) {
  const Output deep = run_tacit({"plan", "--agents", "2000"});
  EXPECT_TRUE(contains(deep.out, "--topology regular:8 would have a depth of")) << deep.out;
  const Output flat = run_tacit({"plan", "--agents", "2000", "--topology", "regular:8"});
  EXPECT_FALSE(contains(flat.out, "would have a depth of")) << flat.out;
}

TEST(Plan, HelpersCostWhatASimulationCounts) {
  const Json planned =
      run_json({"plan", "--agents", "10", "--topology", "ring:4", "--value-bound", "5", "--dimension", "178",
                "--iterations", "9", "--modulus-bits", "60", "--lz", "0.001", "--helpers", "2"});
  const Json run = run_json({"simulate", "--data", diabetes, "--target", "y", "--signal", "300", "--noise",
                             "55", "--iterations", "9", "--modulus-bits", "60", "--helpers", "2"});
  EXPECT_EQ(planned["helpers"], 2);
  EXPECT_EQ(planned["mask_edges"], 20);
  EXPECT_EQ(planned["privacy"]["collusion"], 3);
  EXPECT_EQ(planned["traffic"]["all"]["messages"], run["traffic"]["messages"]);
  EXPECT_EQ(planned["traffic"]["all"]["bytes"], run["traffic"]["bytes"]);
  EXPECT_EQ(planned["traffic"]["without_helpers"]["messages"], 10 * 18 * 9);
  const Output refused = run_tacit({"plan", "--agents", "10", "--helpers", "3", "--value-bound", "5"});
  EXPECT_EQ(refused.exit_code, 2);
  EXPECT_NE(refused.err.find("At most 2 helpers"), std::string::npos) << refused.err;
  const Output seeded =
      run_tacit({"plan", "--agents", "10", "--helpers", "1", "--value-bound", "5", "--masks", "seeded"});
  EXPECT_EQ(seeded.exit_code, 2);
  EXPECT_NE(seeded.err.find("leave --helpers out"), std::string::npos) << seeded.err;
}

TEST(Plan, TableAndJsonSayTheSame) {
  const std::vector<std::string> arguments = {"plan",
                                              "--agents",
                                              "20",
                                              "--topology",
                                              "ring:4",
                                              "--value-bound",
                                              "15",
                                              "--dimension",
                                              "2",
                                              "--lz",
                                              "9.5367431640625e-07",
                                              "--lw",
                                              "0.025",
                                              "--iterations",
                                              "1"};
  const Json got = run_json(arguments);
  EXPECT_NEAR(got["qbound_log2"].get<double>(), 37.3, 0.1);  // the paper: approximately 2^37
  EXPECT_EQ(got["modulus_bits"], 38);
  EXPECT_EQ(got["weight_denominator"], 40);
  EXPECT_NEAR(got["lambda"].get<double>(), 0.952, 5e-4);
  EXPECT_EQ(got["traffic"]["busiest_agent"]["messages"], 18);
  EXPECT_EQ(got["traffic"]["all"]["bytes"], 20 * 18 * 2 * 5);
  const Output table = run_tacit(arguments);
  EXPECT_EQ(table.exit_code, 0);
  for (const char* word : {"2^38", "1/40", "0.952", "the paper's bound", "the least busy one sends 18"})
    EXPECT_NE(table.out.find(word), std::string::npos) << word << " in\n" << table.out;
}

TEST(Plan, ErrorSetsLz) {
  const std::vector<std::string> asked = {"plan", "--agents", "10", "--value-bound", "5", "--error", "0.01"};
  std::vector<std::string> consensus = asked;
  consensus.insert(consensus.end(), {"--protocol", "consensus"});
  const Json got = run_json(consensus), exact = run_json(asked);
  EXPECT_DOUBLE_EQ(got["lz"], 0.005);
  EXPECT_LE(got["transient"].get<double>() + got["lz"].get<double>(), 0.01);
  EXPECT_EQ(exact["protocol"], "exact");
  EXPECT_NEAR(exact["error"].get<double>(), 0.01, 1e-12);
}

TEST(Plan, PromisesNothingAboutPredictionsAfterTooFewIterations) {
  std::vector<std::string> arguments = {"plan", "--agents",     "20", "--topology", "ring:4", "--rows",
                                        "200",  "--noise",      "1",  "--signal",   "10",     "--y-max",
                                        "110",  "--iterations", "3"};
  EXPECT_TRUE(run_json(arguments)["beta"].is_null());
  EXPECT_TRUE(run_json(arguments)["gamma"].is_null());
  const std::string text = run_tacit(arguments).out,
                    before = "no error bound holds for predictions at T = 3; T ≥ ";
  const auto at = text.find(before);
  ASSERT_NE(at, std::string::npos) << text;
  EXPECT_EQ(text.find("relative to plain distributed GPR"), std::string::npos) << text;
  arguments.back() = std::to_string(std::stoul(text.substr(at + before.size())));
  EXPECT_GT(run_json(arguments)["gamma"].get<double>(), 0) << "with the proposed number of iterations";
}

}  // namespace
}  // namespace tacit::testing
