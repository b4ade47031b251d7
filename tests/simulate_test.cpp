// tacit simulate and tacit plan as users run them, against answers computed elsewhere.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "program_json.hpp"

namespace tacit::testing {
namespace {

const std::string diabetes = TACIT_SOURCE_DIR "/data/diabetes.csv";

Json without_seconds(Json json) {
  json.erase("seconds");
  return json;
}

// On the Diabetes file, with more options.
std::vector<std::string> on_diabetes(const std::vector<std::string>& more) {
  std::vector<std::string> words = {"simulate", "--data", diabetes, "--target", "y"};
  words.insert(words.end(), more.begin(), more.end());
  return words;
}

Json diabetes_run(const std::vector<std::string>& more) {
  return without_seconds(run_json(on_diabetes(more)));
}

// The command that a newcomer types.
TEST(Simulate, WithoutOptionsItDoesWhatWeAdvise) {
  const Json got = diabetes_run({});
  EXPECT_EQ(got["protocol"], "exact");
  EXPECT_EQ(got["topology"], "ring:4");
  EXPECT_EQ(got["fusion"], "rbcm");
  EXPECT_EQ(got["units"]["hyperparameters"], "standardised");
  EXPECT_EQ(got["tuning"]["method"], "exact");
  EXPECT_EQ(got["landmarks"]["count"], got["landmarks"]["ceiling"]);
  const Json& worth = got["accuracy"]["calibration"];
  for (const char* model : {"at_home", "private"}) {
    EXPECT_LT(worth[model]["rmse"], 60) << "a constant has 77";
    EXPECT_GT(worth[model]["coverage"], 0.9);
    EXPECT_LT(worth[model]["rmse"], worth["local"]["rmse"]);
  }
  EXPECT_EQ(got["warnings"], Json::array());
  EXPECT_EQ(got,
            diabetes_run({"--standardise", "private", "--tune", "exact", "--landmarks", "auto", "--fusion",
                          "rbcm", "--protocol", "exact", "--agents", "10", "--topology", "ring:4"}));
  EXPECT_EQ(got, diabetes_run({"--standardize", "private"}));
  EXPECT_EQ(got, diabetes_run({"--standardise"}));
}

// A target far from 0, or beside a much larger one, is learnt as well as any other.
TEST(Simulate, WhereATargetLiesDoesNotMatter) {
  std::string rows = "x,near,far,large\n";
  for (int k = 0; k < 300; ++k) {
    const double x = 0.02 * k, y = std::sin(x) + 0.1 * std::sin(1000. * k);
    rows += std::to_string(x) + "," + std::to_string(y) + "," + std::to_string(1000 + y) + "," +
            std::to_string(1000 * y) + "\n";
  }
  const Folder folder;
  const std::string file = folder.write("d.csv", rows);
  const auto rmse = [&](const std::string& targets, const std::string& one) {
    return run_json({"simulate", "--data", file, "--target", targets, "--inputs", "x", "--split",
                     "shuffled"})["accuracy"]["by_target"][one]["private"]["rmse"]
        .get<double>();
  };
  const double alone = rmse("near", "near");
  EXPECT_LT(alone, 0.12);
  EXPECT_NEAR(rmse("far", "far"), alone, 0.01);
  EXPECT_NEAR(rmse("near,large", "near"), alone, 0.01);
}

TEST(Simulate, PaperIsOneWordForItsChoices) {
  const std::vector<std::string> spelt = {"--standardise", "none",     "--tune",   "none",
                                          "--landmarks",   "0",        "--fusion", "poe",
                                          "--protocol",    "consensus"};
  EXPECT_EQ(diabetes_run({"--paper"}), diabetes_run(spelt));
  // Options beside it keep their meaning.
  const Json other = diabetes_run({"--paper", "--fusion", "gpoe", "--standardise", "private", "--tune",
                                   "paper", "--tune-iterations", "2", "--masks", "seeded"});
  EXPECT_EQ(other["fusion"], "gpoe");
  EXPECT_EQ(other["masks"], "seeded");
  EXPECT_EQ(other["tuning"]["method"], "paper");
  EXPECT_EQ(other["units"]["hyperparameters"], "standardised");
  EXPECT_EQ(other["landmarks"], nullptr);
  EXPECT_EQ(diabetes_run({"--paper", "--protocol", "exact"})["protocol"], "exact");
  const Json tuned = diabetes_run({"--paper", "--tune", "paper", "--tune-iterations", "2"});
  EXPECT_EQ(tuned["standardise"], nullptr);
  EXPECT_EQ(tuned["tuning"]["iterations"], 2);
}

// Numbers given by hand are in the data's units, and used as they are unless tuning is asked for.
TEST(Simulate, NumbersByHandKeepTheirMeaning) {
  const Json by_hand = diabetes_run({"--lengthscale", "100", "--signal", "90", "--noise", "55"});
  EXPECT_EQ(by_hand["tuning"], nullptr);
  EXPECT_EQ(by_hand["standardise"], nullptr);
  EXPECT_EQ(by_hand["hyperparameters"]["lengthscale"], 100);
  EXPECT_EQ(by_hand, diabetes_run({"--kernel", "se(lengthscale=100, signal=90)", "--noise", "55"}));
  EXPECT_EQ(diabetes_run({"--noise", "55"})["standardise"], nullptr);
  const Json tuned =
      diabetes_run({"--lengthscale", "99", "--signal", "90", "--noise", "55", "--tune", "exact"});
  EXPECT_EQ(tuned["standardise"], nullptr);
  EXPECT_NEAR(tuned["tuning"]["trials"][0]["hyperparameters"][0]["lengthscale"].get<double>(), 99, 1e-3);
  const Json standard = diabetes_run({"--lengthscale", "3", "--standardise", "private"});
  EXPECT_EQ(standard["tuning"], nullptr);
  EXPECT_EQ(standard["units"]["hyperparameters"], "standardised");
}

// Without further options too: the paper's protocol and its tuning, helpers, kernels, no tuning.
TEST(Simulate, OneOptionAloneGivesSaneResults) {
  const std::vector<std::vector<std::string>> alone = {
      {"--protocol", "consensus"}, {"--tune", "paper"},    {"--helpers", "1"}, {"--iterations", "200"},
      {"--protocol", "tree"},      {"--kernel", "se-ard"}, {"--tune", "none"}, {"--fusion", "poe"}};
  for (const std::vector<std::string>& option : alone) {
    const Json got = diabetes_run(option);
    EXPECT_EQ(got["units"]["hyperparameters"], "standardised") << option[0];
    EXPECT_LT(got["accuracy"]["private"], 60) << option[0];
    EXPECT_GT(got["accuracy"]["calibration"]["private"]["coverage"], 0.75) << option[0];  // poe is too sure
  }
}

std::string some_rows(int first, int count, double slope) {
  std::string rows = "x,z,y\n";
  for (int k = first; k < first + count; ++k)
    rows += std::to_string(k % 11 - 5) + "," + std::to_string(k * 7 % 5 - 2) + "," +
            std::to_string(slope * (k % 11 - 5) + 0.3 * (k * 5 % 7 - 3)) + "\n";
  return rows;
}

TEST(Simulate, AnyNumberOfFilesFindsANetworkThatFits) {
  const Folder folder;
  for (const int files : {2, 3, 4, 5, 6, 9}) {
    std::vector<std::string> words = {"simulate", "--target", "y"};
    for (int k = 0; k < files; ++k)
      words.insert(words.end(),
                   {"--data", folder.write(std::to_string(k) + ".csv", some_rows(20 * k, 20, 1))});
    const Json got = run_json(words);
    EXPECT_EQ(got["agents"], files);
    EXPECT_EQ(got["topology"], files < 6 ? "complete" : "ring:4");
    EXPECT_EQ(got["privacy"]["collusion"], files - 2);
    EXPECT_EQ(run_json({"simulate", "--data", diabetes, "--target", "y", "--agents",
                        std::to_string(files)})["topology"],
              got["topology"]);
  }
}

TEST(Simulate, EdgesSayHowManyAgentsThereAre) {
  const Folder folder;
  const std::string topology =
      "edges:" + folder.write("net.txt", "0 1\n1 2\n0 2\n2 3\n3 4\n2 4\n4 5\n3 5\n5 6\n4 6\n");
  EXPECT_EQ(run_json({"simulate", "--data", diabetes, "--target", "y", "--topology", topology})["agents"], 7);
  for (const char* command : {"plan", "audit"}) {
    EXPECT_EQ(run_json({command, "--topology", topology})["agents"], 7) << command;
    EXPECT_EQ(
        run_json({command, "--topology", topology, "--agents", "7", "--protocol", "consensus"})["agents"], 7);
  }
}

// Plan and audit speak of what is deployed unless they are asked about the consensus.
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

TEST(Simulate, TheModelsNumbersAreNamedByColumn) {
  const Json numbers = diabetes_run({"--kernel", "se-ard + linear"})["hyperparameters"];
  EXPECT_EQ(numbers["by_column"].size(), 10u);
  EXPECT_EQ(numbers["by_column"]["bmi"]["se.lengthscale"], numbers["numbers"]["se.lengthscale[2]"]);
  EXPECT_EQ(diabetes_run({})["hyperparameters"]["by_column"], nullptr);
  const std::string said = run_tacit(on_diabetes({"--kernel", "se-ard"})).out;
  const auto bmi = said.find("lengthscale of bmi = "), s2 = said.find(", of s2 = ");
  EXPECT_NE(bmi, std::string::npos) << said;
  EXPECT_LT(bmi, s2) << "what matters most comes first\n" << said;
  EXPECT_EQ(said.find("lengthscale["), std::string::npos) << said;
}

TEST(Simulate, EveryTargetIsScoredByItself) {
  const std::vector<std::string> words = {"simulate", "--data", diabetes, "--target", "y,bmi"};
  const Json got = run_json(words), &both = got["accuracy"], &each = both["by_target"];
  for (const char* model : {"local", "at_home", "private", "pooled"}) {
    const double y = each["y"][model]["rmse"], bmi = each["bmi"][model]["rmse"];
    EXPECT_GT(y, 10 * bmi) << model;
    EXPECT_NEAR(each["y"][model]["coverage"].get<double>() + each["bmi"][model]["coverage"].get<double>(),
                2 * both["calibration"][model]["coverage"].get<double>(), 1e-12);
    if (std::string("private") == model || std::string("pooled") == model) {
      const double all = both[model];
      EXPECT_NEAR(all * all, (y * y + bmi * bmi) / 2, 1e-6 * all * all) << model;
    }
  }
  const std::string said = run_tacit(words).out;
  EXPECT_NE(said.find("RMSE by target"), std::string::npos) << said;
  EXPECT_NE(said.find("\n         bmi  "), std::string::npos) << said;
}

bool warned(const std::vector<std::string>& words, const std::vector<std::string>& parts) {
  const auto has_all = [&](const std::string& text) {
    return std::all_of(parts.begin(), parts.end(),
                       [&](const std::string& part) { return text.find(part) != std::string::npos; });
  };
  const Json warnings = run_json(words)["warnings"];
  const bool in_text = run_tacit(words).out.find("\nWarning  ") != std::string::npos;
  EXPECT_EQ(in_text, !warnings.empty());
  return std::any_of(warnings.begin(), warnings.end(), has_all);
}

TEST(Simulate, WarnsOfCellsFarFromAllOthers) {
  const Folder folder;
  const std::string good = some_rows(0, 60, 1);
  const auto run = [&](const std::string& text) {
    return std::vector<std::string>{"simulate", "--data", folder.write("d.csv", text),
                                    "--target", "y",      "--agents",
                                    "4",        "--test", folder.write("t.csv", some_rows(0, 5, 1))};
  };
  EXPECT_FALSE(warned(run(good), {"deviations"}));
  EXPECT_TRUE(warned(run(good + "999,1,2\n999,0,1\n"),
                     {"input x", "2 of 62 cells", "999 (agent 3)", "--missing-value x:999"}));
  EXPECT_TRUE(warned(run(good + "1,1,-4000\n"), {"target y", "1 of 61 cells lies", "-4000"}));
  std::string constant = "x,z,y\n";
  for (int k = 0; k < 60; ++k) constant += std::to_string(k) + ",1,5\n";
  EXPECT_TRUE(warned(run(constant), {"target y is 5 in all 60 rows"}));
}

TEST(Simulate, WarnsOfNumbersThatEndedAtABound) {
  const Folder folder;
  std::string smooth = "x,y\n";
  for (int k = 0; k < 80; ++k)
    smooth += std::to_string(0.1 * k) + "," + std::to_string(std::sin(0.1 * k)) + "\n";
  std::vector<std::string> words = {"simulate", "--data",  folder.write("d.csv", smooth),
                                    "--target", "y",       "--agents",
                                    "4",        "--split", "shuffled"};
  EXPECT_TRUE(warned(words, {"tuning left noise at the floor 0.05", "--noise-floor"}));
  words.insert(words.end(), {"--noise-floor", "0.001", "--tune-box", "0.001,0.5"});
  words.insert(words.end(), {"--noise", "0.1", "--lengthscale", "0.5", "--signal", "0.5"});
  words.insert(words.end(), {"--standardise", "private", "--tune", "exact", "--lengthscale-floor", "0.01"});
  EXPECT_TRUE(warned(words, {"signal at the box's top 0.5", "--tune-box 0.001,5"}));
}

// Three parties agree, and the fourth, whose cases are tested, is another world.
TEST(Simulate, WarnsWhereAPartyDoesBetterAlone) {
  const Folder folder;
  std::vector<std::string> words = {"simulate", "--target", "y", "--test",
                                    folder.write("test.csv", some_rows(500, 30, -1))};
  for (int k = 0; k < 4; ++k)
    words.insert(words.end(), {"--data", folder.write("site" + std::to_string(k) + ".csv",
                                                      some_rows(100 * k, 60, k == 3 ? -1 : 1))});
  EXPECT_TRUE(warned(words, {"1 of 4 agents has smaller errors alone", "site3.csv", "30 test rows"}));
}

// Experts, fusion and the quantised dynamics, computed by tests/independent.py with NumPy and
// nothing of ours.
TEST(Simulate, AgreesWithAnIndependentImplementation) {
  const Json cases = Json::parse(content(TACIT_SOURCE_DIR "/tests/independent.json"));
  ASSERT_GE(cases.size(), 4u);
  for (const Json& expected : cases) {
    const Folder folder;
    std::vector<std::string> arguments = {"simulate",
                                          "--data",
                                          folder.write("train.csv", expected["train"]),
                                          "--test",
                                          folder.write("test.csv", expected["test"]),
                                          "--topology",
                                          "edges:" + folder.write("edges.txt", expected["edges"]),
                                          "--paper",
                                          "--all-agents"};
    for (const Json& argument : expected["arguments"]) arguments.push_back(argument);
    const Json got = run_json(arguments);

    const double lz = expected["lz"];
    EXPECT_NEAR(got["plan"]["lambda"].get<double>(), expected["lambda"].get<double>(), 1e-12);
    EXPECT_NEAR(got["plan"]["lw"].get<double>(), expected["lw"].get<double>(), 1e-15);
    EXPECT_EQ(got["privacy"]["collusion_paper"], expected["collusion_paper"]);
    EXPECT_EQ(got["traffic"]["messages"], expected["messages"]);
    for (const char* part : {"mean", "variance"}) {
      for (std::size_t x = 0; x < expected["reference"].size(); ++x)
        for (std::size_t k = 0; k < expected["reference"][x][part].size(); ++k) {
          const double truth = expected["reference"][x][part][k];
          EXPECT_NEAR(got["reference"][x][part][k].get<double>(), truth, 1e-8 * std::abs(truth));
        }
      // Every agent after T iterations. Floating point rounds halves otherwise than integers do, which can
      // move a state by a few L_z; the sums are compared with that in mind.
      for (std::size_t i = 0; i < expected["agents"].size(); ++i)
        for (std::size_t x = 0; x < expected["agents"][i].size(); ++x)
          for (std::size_t k = 0; k < expected["agents"][i][x][part].size(); ++k) {
            const double truth = expected["agents"][i][x][part][k],
                         v = expected["agents"][i][x]["variance"][k];
            const double f = expected["agents"][i][x]["mean"][k];
            const double slack =
                3 * lz * std::abs(v) * (part == std::string("mean") ? 1 + std::abs(f) : std::abs(v));
            EXPECT_NEAR(got["agent_predictions"][i][x][part][k].get<double>(), truth,
                        slack + 1e-9 * std::abs(truth));
          }
    }
    EXPECT_NEAR(got["rmse"]["mean"].get<double>(), expected["rmse"]["mean"].get<double>(),
                0.02 * expected["rmse"]["mean"].get<double>() + 3 * lz);
    EXPECT_NEAR(got["accuracy"]["local"].get<double>(), expected["accuracy"]["local"].get<double>(), 1e-8);
    EXPECT_NEAR(got["accuracy"]["pooled"].get<double>(), expected["accuracy"]["pooled"].get<double>(), 1e-6);
  }
}

// All options beyond the paper together: the same predictions, fewer messages, and nothing in the trajectory.
TEST(Simulate, HardenedRunsGiveTheSamePredictions) {
  std::vector<std::string> plain = {"simulate", "--data",   diabetes, "--target", "y", "--lengthscale",
                                    "100",      "--signal", "300",    "--noise",  "55"};
  std::vector<std::string> hardened = plain;
  plain.insert(plain.end(), {"--protocol", "consensus"});
  hardened.insert(hardened.end(), {"--masks", "seeded", "--acceleration", "chebyshev", "--blinding"});
  const Json a = run_json(plain), b = run_json(hardened);
  EXPECT_EQ(a["masks"], "shares");
  EXPECT_EQ(a["acceleration"], "none");
  EXPECT_EQ(a["blinding"], 0);
  EXPECT_EQ(a["privacy"]["trajectory_safe"], false);
  EXPECT_EQ(b["masks"], "seeded");
  EXPECT_EQ(b["acceleration"], "chebyshev");
  EXPECT_EQ(b["blinding"], 40);
  EXPECT_EQ(b["privacy"]["collusion"], 3);
  EXPECT_EQ(b["privacy"]["trajectory_safe"], true);
  EXPECT_LT(b["rmse"]["mean"].get<double>(), 1e-5);
  EXPECT_LT(b["traffic"]["messages"].get<int>(), a["traffic"]["messages"].get<int>() / 5);
  for (std::size_t x = 0; x < a["predictions"].size(); ++x)
    EXPECT_NEAR(a["predictions"][x]["mean"][0].get<double>(), b["predictions"][x]["mean"][0].get<double>(),
                1e-4);
}

// Tuning takes one round a step: seeded masks serve it, acceleration and blinding do not.
TEST(Simulate, TuningTakesTheMasksOnly) {
  const Json got = run_json(
      {"simulate",   "--data",     diabetes,  "--target", "y",      "--lengthscale",  "10",
       "--signal",   "10",         "--noise", "5",        "--tune", "paper",          "--tune-iterations",
       "3",          "--topology", "ring:2",  "--masks",  "seeded", "--acceleration", "chebyshev",
       "--blinding", "30"});
  EXPECT_EQ(got["tuning"]["plan"]["masks"], "seeded");
  EXPECT_EQ(got["tuning"]["plan"]["acceleration"], "none");
  EXPECT_EQ(got["tuning"]["plan"]["blinding"], 0);
  EXPECT_EQ(got["tuning"]["plan"]["iterations"], 1);
  EXPECT_EQ(got["plan"]["blinding"], 30);
  EXPECT_EQ(got["privacy"]["trajectory_safe"], false);  // the tuning's is not
  // Three tuning steps and T rounds of 20 masked values, 20 keys, 20 introductions and noise on 10 edges.
  EXPECT_EQ(got["traffic"]["messages"], 20 * (3 + got["plan"]["iterations"].get<int>()) + 50);
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

TEST(Simulate, JsonHasWhatTheDesignPromises) {
  const Json got = run_json({"simulate", "--data", diabetes, "--target", "y", "--lengthscale", "100",
                             "--signal", "300", "--noise", "55", "--protocol", "consensus"});
  for (const char* key : {"agents", "protocol", "fusion", "hyperparameters", "predictions", "reference",
                          "rmse", "accuracy", "traffic", "seconds", "plan", "privacy"})
    EXPECT_TRUE(got.contains(key)) << key;
  EXPECT_EQ(got["agents"], 10);
  EXPECT_EQ(got["predictions"].size(), 89u);
  EXPECT_EQ(got["predictions"][0]["mean"].size(), 1u);
  EXPECT_EQ(got["privacy"]["collusion"], 1);
  EXPECT_EQ(got["privacy"]["trajectory_safe"], false);
  for (const char* key : {"local", "protocol", "network", "total"}) EXPECT_TRUE(got["seconds"].contains(key));
  for (const char* key : {"lz", "lw", "modulus_bits", "iterations", "lambda"})
    EXPECT_TRUE(got["plan"].contains(key));
  // What it is worth: better than alone, not better than pooling everything.
  EXPECT_LT(got["accuracy"]["private"], got["accuracy"]["local"]);
  EXPECT_LT(got["accuracy"]["pooled"], got["accuracy"]["private"]);
  EXPECT_LT(got["rmse"]["mean"], 1e-4);
}

// Exact sums are what one gets without asking: the same predictions as the consensus', the same to the bit
// for everybody, in far fewer messages, and nobody sees more than sums.
TEST(Simulate, ExactSumsAreTheDefault) {
  const std::vector<std::string> plain = {"simulate", "--data",   diabetes, "--target", "y",  "--lengthscale",
                                          "100",      "--signal", "300",    "--noise",  "55", "--landmarks",
                                          "0",        "--fusion", "poe"};
  std::vector<std::string> consensus = plain;
  consensus.insert(consensus.end(), {"--protocol", "consensus"});
  const Json a = run_json(plain), b = run_json(consensus);
  EXPECT_EQ(a["protocol"], "exact");
  EXPECT_EQ(b["protocol"], "consensus");
  EXPECT_EQ(a["privacy"]["collusion"], 8);
  EXPECT_EQ(a["privacy"]["trajectory_safe"], true);
  EXPECT_EQ(a["disagreement"]["mean"], 0);
  EXPECT_LT(a["rmse"]["mean"].get<double>(), 1e-4);
  EXPECT_TRUE(a["plan"]["iterations"].is_null());
  EXPECT_GT(a["plan"]["modulus_bits"], 20);
  EXPECT_LT(a["traffic"]["messages"].get<int>() * 50, b["traffic"]["messages"].get<int>());
  for (std::size_t x = 0; x < a["predictions"].size(); ++x)
    EXPECT_NEAR(a["predictions"][x]["mean"][0].get<double>(), b["predictions"][x]["mean"][0].get<double>(),
                1e-3);
}

// Standardised, tuned and scored over exact sums: better than a hospital alone, and the same as
// over the consensus.
TEST(Simulate, StandardisesTunesAndScoresOverExactSums) {
  const std::vector<std::string> plain = {"simulate",      "--data",      diabetes, "--target", "y",
                                          "--standardise", "private",     "--tune", "exact",    "--holdout",
                                          "0.2",           "--landmarks", "0",      "--fusion", "poe"};
  std::vector<std::string> consensus = plain;
  consensus.insert(consensus.end(), {"--protocol", "consensus"});
  const Json a = run_json(plain), b = run_json(consensus);
  EXPECT_LE(a["tuning"]["evaluations"], 30);
  EXPECT_EQ(a["standardise"]["spread"], 0);
  EXPECT_LT(a["accuracy"]["private"], a["accuracy"]["local"]);
  EXPECT_NEAR(a["tuning"]["likelihood_after"].get<double>(), b["tuning"]["likelihood_after"].get<double>(),
              1e-2);
  EXPECT_NEAR(a["holdout"]["rmse"].get<double>(), b["holdout"]["rmse"].get<double>(), 0.05);
  EXPECT_NEAR(a["accuracy"]["private"].get<double>(), b["accuracy"]["private"].get<double>(), 0.05);
}

// Features, sums, the pooled part and experts of what it leaves over, computed by tests/landmarks.py with
// NumPy and nothing of ours.
TEST(Simulate, LandmarksAgreeWithAnIndependentImplementation) {
  for (const Json& expected : Json::parse(content(TACIT_SOURCE_DIR "/tests/landmarks.json"))) {
    const Folder folder;
    std::vector<std::string> arguments = {"simulate",
                                          "--target",
                                          "y",
                                          "--topology",
                                          "complete",
                                          "--landmark-points",
                                          folder.write("z.csv", expected["landmarks"]),
                                          "--test",
                                          folder.write("test.csv", expected["test"]),
                                          "--all-agents"};
    for (const Json& text : expected["files"]) {
      const std::string name = std::to_string(arguments.size()) + ".csv";
      arguments.insert(arguments.end(), {"--data", folder.write(name, text)});
    }
    for (const Json& argument : expected["arguments"]) arguments.push_back(argument);
    const Json got = run_json(arguments);
    EXPECT_EQ(got["landmarks"]["plan"]["lz"], expected["unit"]);
    const auto compare = [](const Json& predictions, const Json& truth) {
      for (std::size_t k = 0; k < predictions.size(); ++k)
        for (const char* part : {"mean", "variance"})
          EXPECT_NEAR(predictions[k][part][0].get<double>(), truth[part][k].get<double>(), 1e-6) << part;
    };
    ASSERT_EQ(got["predictions"].size(), 5u);
    compare(got["predictions"], expected["together"]);
    for (std::size_t i = 0; i < expected["home"].size(); ++i)
      compare(got["agent_predictions_at_home"][i], expected["home"][i]);
  }
}

TEST(Simulate, LandmarksAreTheDefaultAndTellWhatTheyOpen) {
  const std::vector<std::string> plain = {"simulate", "--data",        diabetes,  "--target",
                                          "y",        "--standardise", "private", "--tune",
                                          "exact",    "--split",       "regions"};
  const Json got = run_json(plain);
  EXPECT_EQ(got["fusion"], "rbcm");
  EXPECT_EQ(got["landmarks"]["count"], 42);
  EXPECT_EQ(got["landmarks"]["ceiling"], 42);
  EXPECT_EQ(got["landmarks"]["opened"], 42 * 45 / 2);
  EXPECT_EQ(got["landmarks"]["held"], 353 * 11);
  EXPECT_GT(got["landmarks"]["opened_by_the_fit"], got["landmarks"]["opened"]);
  const Json& worth = got["accuracy"];
  EXPECT_LT(worth["at_home"].get<double>(),
            0.8 * worth["local"].get<double>());  // regions: alone one is lost
  EXPECT_LT(worth["private"].get<double>(), 1.02 * worth["pooled"].get<double>());
  std::vector<std::string> paper = plain;
  paper.insert(paper.end(), {"--landmarks", "0", "--fusion", "poe"});
  EXPECT_EQ(run_json(paper)["landmarks"], nullptr);
  EXPECT_EQ(run_json(paper)["accuracy"]["at_home"], run_json(paper)["accuracy"]["local"]);
}

// With few rows, standardising and tuning open more than landmarks do; that is no tuning on landmarks.
TEST(Simulate, OnlyWhoTunesOnLandmarksIsToldWhatThatOpens) {
  const Folder folder;
  std::vector<std::string> words = {
      "simulate", "--data", folder.write("d.csv", some_rows(0, 30, 1)), "--target", "y", "--agents", "4"};
  const std::string told = "tuning on landmarks opened";
  EXPECT_EQ(run_tacit(words).out.find(told), std::string::npos);
  words.push_back("--tune-landmarks");
  EXPECT_NE(run_tacit(words).out.find(told), std::string::npos);
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

TEST(Simulate, SameSeedSameOutputWhateverTheThreads) {
  auto run = [&](const char* threads, const char* seed) {
    return without_seconds(
        run_json({"simulate", "--data",   diabetes,   "--target",          "y",     "--agents",
                  "7",        "--tune",   "paper",    "--tune-iterations", "3",     "--lengthscale",
                  "50",       "--signal", "80",       "--noise",           "55",    "--tune-start",
                  "20,90",    "--split",  "shuffled", "--threads",         threads, "--seed",
                  seed}));
  };
  const Json one = run("1", "3");
  EXPECT_EQ(one, run("4", "3"));
  EXPECT_NE(one, run("4", "4"));

  auto over_sums = [&](const char* threads) {
    return without_seconds(
        run_json({"simulate", "--data", diabetes, "--target", "y", "--standardise", "private", "--tune",
                  "exact", "--restarts", "1", "--holdout", "0.1", "--threads", threads}));
  };
  EXPECT_EQ(over_sums("1"), over_sums("4"));
}

TEST(Simulate, ObservedVarianceIsLatentPlusNoise) {
  auto run = [&](const char* variance) {
    return run_json({"simulate", "--data", diabetes, "--target", "y", "--lengthscale", "100", "--signal",
                     "300", "--noise", "55", "--variance", variance});
  };
  const Json latent = run("latent"), observed = run("observed");
  for (std::size_t k = 0; k < 89; ++k)
    EXPECT_NEAR(observed["predictions"][k]["variance"][0].get<double>(),
                latent["predictions"][k]["variance"][0].get<double>() + 55.0 * 55.0, 1e-9);
}

TEST(Simulate, StandardisesTunesAndScoresInPrivate) {
  const Json got = run_json({"simulate", "--data", diabetes, "--target", "y", "--standardise", "private",
                             "--tune", "exact", "--holdout", "0.2"});
  EXPECT_EQ(got["units"]["hyperparameters"], "standardised");
  EXPECT_EQ(got["standardise"]["rows"], 353 - 73);
  EXPECT_EQ(got["standardise"]["inputs"]["scale"].size(), 10u);
  EXPECT_NEAR(got["standardise"]["targets"]["shift"][0].get<double>(), 152, 10);  // about the mean of y
  EXPECT_EQ(got["tuning"]["method"], "exact");
  EXPECT_LE(got["tuning"]["evaluations"], 30);
  EXPECT_EQ(got["tuning"]["trials"].size(), got["tuning"]["evaluations"]);
  EXPECT_GT(got["tuning"]["likelihood_after"], got["tuning"]["likelihood_before"]);
  EXPECT_NE(got["tuning"]["end"], "");
  EXPECT_EQ(got["holdout"]["rows"], 73);
  EXPECT_EQ(got["holdout"]["model"], "alone");
  EXPECT_EQ(got["holdout"]["inputs_shown"], false);
  EXPECT_GT(got["holdout"]["rmse"], 50);  // in the data's units, better than a constant's 77
  EXPECT_LT(got["holdout"]["rmse"], 70);
  EXPECT_LT(got["holdout"]["log_density"], -5);
  EXPECT_LT(got["accuracy"]["private"], got["accuracy"]["local"]);
  const Json plain = run_json({"simulate", "--data", diabetes, "--target", "y", "--noise", "55"});
  for (const char* none : {"standardise", "tuning", "holdout"}) EXPECT_TRUE(plain[none].is_null()) << none;
  EXPECT_EQ(plain["units"]["hyperparameters"], "original");
}

// Standardised, the units that a file happens to use make no difference; predictions follow the target's.
TEST(Simulate, UnitsOfTheFileDoNotMatterOnceStandardised) {
  const Folder folder;
  std::string plain = "a,b,y\n", scaled = "a,b,y\n";
  for (int k = 0; k < 40; ++k) {
    const int a = k * k % 17, b = k % 7, y = a + 2 * b + k % 3;
    plain += std::to_string(a) + "," + std::to_string(b) + "," + std::to_string(y) + "\n";
    scaled += std::to_string(1000 * a - 500) + "," + std::to_string(b) + "," + std::to_string(10 * y) + "\n";
  }
  auto run = [&](const std::string& name, const std::string& text) {
    return run_json({"simulate", "--data", folder.write(name, text), "--target", "y", "--agents", "5",
                     "--standardise", "private", "--variance", "observed"});
  };
  const Json one = run("plain.csv", plain), other = run("scaled.csv", scaled);
  for (std::size_t k = 0; k < one["predictions"].size(); ++k) {
    EXPECT_NEAR(other["predictions"][k]["mean"][0].get<double>(),
                10 * one["predictions"][k]["mean"][0].get<double>(), 1e-2);
    EXPECT_NEAR(other["predictions"][k]["variance"][0].get<double>(),
                100 * one["predictions"][k]["variance"][0].get<double>(), 1e-1);
  }
}

TEST(Simulate, SplitsByColumnAndByFile) {
  const Folder folder;
  std::string rows, parts[3];
  for (int k = 0; k < 30; ++k) {
    const std::string row = std::to_string(k) + "," + std::to_string(k % 7) + ",";
    const int owner = k % 5 == 0 ? 2 : k % 2;
    rows += row + std::string(1, static_cast<char>('A' + owner)) + "," + std::to_string(k % 3) + "\n";
    parts[owner] += row + std::to_string(k % 3) + "\n";
  }
  const std::string test = folder.write("test.csv", "b,a\n1,2\n3,4\n");  // other order, no targets
  const Json by_column =
      run_json({"simulate", "--data", folder.write("all.csv", "a,b,hospital,y\n" + rows), "--target", "y",
                "--split", "by:hospital", "--topology", "complete", "--test", test});
  std::vector<std::string> arguments = {"simulate", "--target", "y", "--topology",
                                        "complete", "--test",   test};
  for (int k = 0; k < 3; ++k)
    arguments.insert(arguments.end(),
                     {"--data", folder.write(std::to_string(k) + ".csv", "a,b,y\n" + parts[k])});
  const Json by_file = run_json(arguments);
  EXPECT_EQ(by_column["agents"], 3);
  EXPECT_EQ(by_column["names"], Json({"A", "B", "C"}));
  EXPECT_EQ(by_column["inputs"], Json({"a", "b"}));
  EXPECT_EQ(by_column["rows"], by_file["rows"]);
  EXPECT_EQ(by_column["predictions"], by_file["predictions"]);
  EXPECT_TRUE(by_file["accuracy"].is_null());
  EXPECT_TRUE(by_file["privacy"]["trajectory_safe"]);
}

TEST(Simulate, ContiguousBlocksDifferByOneRowLargerFirst) {
  const Folder folder;
  std::string rows = "a,y\n";
  for (int k = 0; k < 23; ++k) rows += std::to_string(k) + "," + std::to_string(k % 4) + "\n";
  const Json got = run_json({"simulate", "--data", folder.write("d.csv", rows), "--target", "y", "--agents",
                             "5", "--test", folder.write("t.csv", "a\n1\n")});
  EXPECT_EQ(got["rows"], Json({5, 5, 5, 4, 4}));
}

TEST(Simulate, VirtualNetworkTime) {
  const Json got = run_json({"simulate", "--data", diabetes, "--target", "y", "--noise", "55", "--signal",
                             "100", "--iterations", "50", "--latency", "0.2ms"});
  EXPECT_EQ(got["traffic"]["rounds"], 100);
  EXPECT_NEAR(got["seconds"]["network"].get<double>(), 100 * 0.0002, 1e-12);
}

TEST(Simulate, ModulusOneBitBelowTheNeedIsRefused) {
  std::vector<std::string> arguments = {"simulate", "--data",   diabetes, "--target", "y", "--lengthscale",
                                        "100",      "--signal", "300",    "--noise",  "55"};
  arguments.insert(arguments.end(), {"--protocol", "consensus"});
  const unsigned bits = run_json(arguments)["plan"]["modulus_bits"];
  arguments.insert(arguments.end(), {"--modulus-bits", std::to_string(bits)});
  EXPECT_EQ(run_tacit(arguments).exit_code, 0);
  arguments.back() = std::to_string(bits - 1);
  const Said said = run_tacit(arguments);
  EXPECT_EQ(said.exit_code, 2);
  EXPECT_NE(said.err.find("needs " + std::to_string(bits) + " bits"), std::string::npos) << said.err;
}

TEST(Simulate, SarcosWithSevenOutputs) {
  const std::string sarcos = TACIT_SOURCE_DIR "/../shared/data/sarcos.csv";
  if (!std::filesystem::exists(sarcos)) GTEST_SKIP() << "needs sarcos.csv beside the project";
  const Json got = run_json({"simulate", "--data", sarcos, "--target", "tau1,tau2,tau3,tau4,tau5,tau6,tau7",
                             "--agents", "20", "--iterations", "100", "--lz", "1e-4", "--lengthscale", "10",
                             "--signal", "20", "--noise", "1", "--test-fraction", "0.045"});
  EXPECT_EQ(got["predictions"][0]["mean"].size(), 7u);
  EXPECT_EQ(got["traffic"]["messages"], 20 * 18 * 100);
  EXPECT_LT(got["accuracy"]["private"], got["accuracy"]["local"]);
}

TEST(Simulate, HelpersChangeTheBoundAndTheCostAndNothingElse) {
  std::vector<std::string> arguments = {
      "simulate", "--data",     diabetes,  "--target", "y",      "--lengthscale", "100",
      "--signal", "300",        "--noise", "55",       "--tune", "paper",         "--tune-iterations",
      "2",        "--tune-box", "10,400"};
  const Json alone = run_json(arguments);
  arguments.insert(arguments.end(), {"--helpers", "1"});
  const Json helped = run_json(arguments);
  EXPECT_EQ(alone["helpers"], 0);
  EXPECT_EQ(helped["helpers"], 1);
  EXPECT_EQ(helped["agents"], 10);
  EXPECT_EQ(alone["privacy"]["collusion"], 1);
  EXPECT_EQ(helped["privacy"]["collusion"], 2);
  for (const char* same : {"predictions", "reference", "rmse", "accuracy", "plan", "tuning"})
    EXPECT_EQ(alone[same], helped[same]) << same;
  EXPECT_GT(helped["traffic"]["messages"], alone["traffic"]["messages"]);
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
  const Said refused = run_tacit({"plan", "--agents", "10", "--helpers", "3", "--value-bound", "5"});
  EXPECT_EQ(refused.exit_code, 2);
  EXPECT_NE(refused.err.find("At most 2 helpers"), std::string::npos) << refused.err;
  const Said seeded =
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
  const Said table = run_tacit(arguments);
  EXPECT_EQ(table.exit_code, 0);
  for (const char* word : {"2^38", "1/40", "0.952", "the paper's bound", "the quietest sends 18"})
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
  const std::string said = run_tacit(arguments).out,
                    before = "nothing is promised about predictions at T = 3; T ≥ ";
  const auto at = said.find(before);
  ASSERT_NE(at, std::string::npos) << said;
  EXPECT_EQ(said.find("ends this near"), std::string::npos) << said;
  arguments.back() = std::to_string(std::stoul(said.substr(at + before.size())));
  EXPECT_GT(run_json(arguments)["gamma"].get<double>(), 0) << "with as many as it said";
}

TEST(Program, VersionAndHelp) {
  EXPECT_EQ(run_tacit({"--version"}).out.rfind("tacit ", 0), 0u);
  for (const char* command : {"simulate", "plan"}) {
    const Said said = run_tacit({command, "--help"});
    EXPECT_EQ(said.exit_code, 0);
    EXPECT_NE(said.out.find("Examples:"), std::string::npos);
  }
}

}  // namespace
}  // namespace tacit::testing
