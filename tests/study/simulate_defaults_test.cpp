// tacit simulate as new users run it: defaults, reports and warnings.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "diabetes_testing.hpp"

namespace tacit::testing {
namespace {

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
    EXPECT_LT(worth[model]["rmse"], 60) << "a constant prediction gives 77";
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

// A target far from 0, or next to a much larger one, is predicted as well as any other.
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
  // Further options keep their meaning.
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

// Hyperparameters given as options are in the data's units and are not tuned, unless --tune is given.
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

// Each option without any other: protocols, the paper's tuning, helpers, a kernel, no tuning, a fusion rule.
TEST(Simulate, OneOptionAloneGivesSaneResults) {
  const std::vector<std::vector<std::string>> alone = {
      {"--protocol", "consensus"}, {"--tune", "paper"},    {"--helpers", "1"}, {"--iterations", "200"},
      {"--protocol", "tree"},      {"--kernel", "se-ard"}, {"--tune", "none"}, {"--fusion", "poe"}};
  for (const std::vector<std::string>& option : alone) {
    const Json got = diabetes_run(option);
    EXPECT_EQ(got["units"]["hyperparameters"], "standardised") << option[0];
    EXPECT_LT(got["accuracy"]["private"], 60) << option[0];
    EXPECT_GT(got["accuracy"]["calibration"]["private"]["coverage"], 0.75)
        << option[0];  // poe is overconfident
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

TEST(Simulate, TheModelsNumbersAreNamedByColumn) {
  const Json numbers = diabetes_run({"--kernel", "se-ard + linear"})["hyperparameters"];
  EXPECT_EQ(numbers["by_column"].size(), 10u);
  EXPECT_EQ(numbers["by_column"]["bmi"]["se.lengthscale"], numbers["numbers"]["se.lengthscale[2]"]);
  EXPECT_EQ(diabetes_run({})["hyperparameters"]["by_column"], nullptr);
  const std::string text = run_tacit(on_diabetes({"--kernel", "se-ard"})).out;
  const auto bmi = text.find("lengthscale of bmi = "), s2 = text.find(", of s2 = ");
  EXPECT_NE(bmi, std::string::npos) << text;
  EXPECT_LT(bmi, s2) << "the most important input is not first\n" << text;
  EXPECT_EQ(text.find("lengthscale["), std::string::npos) << text;
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
  const std::string text = run_tacit(words).out;
  EXPECT_NE(text.find("RMSE by target"), std::string::npos) << text;
  EXPECT_NE(text.find("\n         bmi  "), std::string::npos) << text;
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
  EXPECT_TRUE(
      warned(run(good + "1,1,-4000\n"), {"target y", "1 of 61 cells is more than 10 deviations", "-4000"}));
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
  EXPECT_TRUE(warned(words, {"signal at the upper limit 0.5", "--tune-box 0.001,5"}));
}

// Three parties have the same relation; that of the fourth, which the test rows follow, is the opposite.
TEST(Simulate, WarnsWhereAPartyDoesBetterAlone) {
  const Folder folder;
  std::vector<std::string> words = {"simulate", "--target", "y", "--test",
                                    folder.write("test.csv", some_rows(500, 30, -1))};
  for (int k = 0; k < 4; ++k)
    words.insert(words.end(), {"--data", folder.write("site" + std::to_string(k) + ".csv",
                                                      some_rows(100 * k, 60, k == 3 ? -1 : 1))});
  EXPECT_TRUE(warned(words, {"1 of 4 agents has smaller errors alone", "site3.csv", "30 test rows"}));
}

// With few rows, standardising and tuning open more numbers than the landmarks. That is not tuning on
// landmarks.
TEST(Simulate, OnlyTuningOnLandmarksReportsWhatItOpens) {
  const Folder folder;
  std::vector<std::string> words = {
      "simulate", "--data", folder.write("d.csv", some_rows(0, 30, 1)), "--target", "y", "--agents", "4"};
  const std::string note = "tuning on landmarks opened";
  EXPECT_EQ(run_tacit(words).out.find(note), std::string::npos);
  words.push_back("--tune-landmarks");
  EXPECT_NE(run_tacit(words).out.find(note), std::string::npos);
}

}  // namespace
}  // namespace tacit::testing
