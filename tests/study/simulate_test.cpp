// tacit simulate as users run it, compared with independent computations.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "diabetes_testing.hpp"

namespace tacit::testing {
namespace {

// Experts, fusion and the quantised dynamics. tests/study/independent.py computed the expected values with
// NumPy and without our code.
TEST(Simulate, AgreesWithAnIndependentImplementation) {
  const Json cases = Json::parse(content(TACIT_SOURCE_DIR "/tests/study/independent.json"));
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
      // Every agent after T iterations. Floating-point and integer arithmetic round halves differently, which
      // can change a state by a few L_z. The tolerance allows for that.
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

// With all options beyond the paper: the same predictions, fewer messages, and a trajectory that reveals
// nothing.
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

// Tuning takes one round per step. Seeded masks apply to it; acceleration and blinding do not.
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
  EXPECT_EQ(got["privacy"]["trajectory_safe"], false);  // because that of tuning is not
  // Three tuning steps and T rounds of 20 masked values, 20 keys, 20 introductions and noise on 10 edges.
  EXPECT_EQ(got["traffic"]["messages"], 20 * (3 + got["plan"]["iterations"].get<int>()) + 50);
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
  // The benefit: better than alone, not better than pooling all data.
  EXPECT_LT(got["accuracy"]["private"], got["accuracy"]["local"]);
  EXPECT_LT(got["accuracy"]["pooled"], got["accuracy"]["private"]);
  EXPECT_LT(got["rmse"]["mean"], 1e-4);
}

// Exact sums are the default: the same predictions as by the consensus, bitwise equal for all agents, in far
// fewer messages, and no agent learns more than sums.
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

// Standardising, tuning and scoring by exact sums: better than a hospital alone, and equal to the consensus.
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

// Features, sums, the pooled part and experts on its residuals. tests/study/landmarks.py computed the
// expected values with NumPy and without our code.
TEST(Simulate, LandmarksAgreeWithAnIndependentImplementation) {
  for (const Json& expected : Json::parse(content(TACIT_SOURCE_DIR "/tests/study/landmarks.json"))) {
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
            0.8 * worth["local"].get<double>());  // split by regions, where a single hospital predicts poorly
  EXPECT_LT(worth["private"].get<double>(), 1.02 * worth["pooled"].get<double>());
  std::vector<std::string> paper = plain;
  paper.insert(paper.end(), {"--landmarks", "0", "--fusion", "poe"});
  EXPECT_EQ(run_json(paper)["landmarks"], nullptr);
  EXPECT_EQ(run_json(paper)["accuracy"]["at_home"], run_json(paper)["accuracy"]["local"]);
}

TEST(Simulate, SameSeedSameOutputWhateverTheThreads) {
  auto run = [&](const char* threads, const char* seed) {
    return found_by(
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
    return found_by(
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
  EXPECT_GT(got["holdout"]["rmse"], 50);  // in the data's units; a constant prediction gives 77
  EXPECT_LT(got["holdout"]["rmse"], 70);
  EXPECT_LT(got["holdout"]["log_density"], -5);
  EXPECT_LT(got["accuracy"]["private"], got["accuracy"]["local"]);
  const Json plain = run_json({"simulate", "--data", diabetes, "--target", "y", "--noise", "55"});
  for (const char* none : {"standardise", "tuning", "holdout"}) EXPECT_TRUE(plain[none].is_null()) << none;
  EXPECT_EQ(plain["units"]["hyperparameters"], "original");
}

// With standardisation, the units of the inputs have no effect, and predictions scale with the target's
// units.
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
  const Output output = run_tacit(arguments);
  EXPECT_EQ(output.exit_code, 2);
  EXPECT_NE(output.err.find("needs " + std::to_string(bits) + " bits"), std::string::npos) << output.err;
}

TEST(Simulate, SarcosWithSevenOutputs) {
  const std::string sarcos = TACIT_SOURCE_DIR "/../shared/data/sarcos.csv";
  if (!std::filesystem::exists(sarcos)) GTEST_SKIP() << "../shared/data is absent";
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

TEST(Program, VersionAndHelp) {
  EXPECT_EQ(run_tacit({"--version"}).out.rfind("tacit ", 0), 0u);
  for (const char* command : {"simulate", "plan"}) {
    const Output output = run_tacit({command, "--help"});
    EXPECT_EQ(output.exit_code, 0);
    EXPECT_NE(output.out.find("Examples:"), std::string::npos);
  }
}

}  // namespace
}  // namespace tacit::testing
