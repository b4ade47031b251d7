// tacit predict with an exported model: typical files of users, and answers for further use.
#include <gtest/gtest.h>

#include <fstream>
#include <nlohmann/json.hpp>
#include <sstream>

#include "program_testing.hpp"
#include "refused_testing.hpp"
#include "tacit/base/system/files.hpp"
#include "tacit/consortium/portable_model.hpp"

namespace tacit::testing {
namespace {

using Json = nlohmann::json;
using Words = std::vector<std::string>;

Column numbers(const char* name, double low, double high) { return {name, low, high, {}}; }

// A model of age and sex. It needs no fit: rows and a prior suffice to predict.
PortableModel model(std::size_t targets) {
  PortableModel out;
  out.title = "a test";
  out.owner = "a";
  out.roster = {"a"};
  out.inputs = {numbers("age", 18, 90), {"sex", 0, 0, {"f", "m"}}};
  for (std::size_t k = 0; k < targets; ++k) out.targets.push_back(numbers(k == 0 ? "y" : "weight", 0, 400));
  for (std::size_t k = 0; k < targets; ++k) out.fitted.priors.emplace_back(se(100., 20.), 4.);
  Samples rows{Matrix(30, 3), Matrix(30, static_cast<Index>(targets))};
  for (Index r = 0; r < 30; ++r) {
    const double age = 20 + 2 * static_cast<double>(r), man = r % 2 == 0 ? 1 : 0;
    rows.inputs.row(r) << age, 1 - man, man;
    rows.outputs.row(r).setConstant(2 * age + 10 * man);
    if (targets > 1) rows.outputs(r, 1) = 100 + man;
  }
  out.rows = rows;
  return out;
}

std::vector<Words> cells_of(const std::string& csv) {
  std::vector<Words> lines;
  std::istringstream in(csv);
  for (std::string line; std::getline(in, line);) {
    lines.emplace_back();
    std::istringstream cells(line + ",");
    for (std::string cell; std::getline(cells, cell, ',');) lines.back().push_back(cell);
  }
  return lines;
}

class Predict : public ::testing::Test {
 protected:
  Predict() { write_whole(file, model(1).to_file(), 0600); }

  Output predict(const std::string& csv, Words more = {}) const {
    Words words{"predict", "--model", file, "--input", folder.write("new.csv", csv)};
    words.insert(words.end(), more.begin(), more.end());
    return run_tacit(words);
  }
  // Expects success and returns standard output.
  std::string out(const std::string& csv, Words more = {}) const {
    const Output output = predict(csv, std::move(more));
    EXPECT_EQ(output.exit_code, 0) << output.err;
    return output.out;
  }

  Folder folder;
  const std::string file = folder.path("model.tacit");
  const std::string plain = "age,sex\n25,f\n60,m\n";
};

TEST_F(Predict, BoundsAreThoseOfANewObservation) {
  const auto lines = cells_of(out(plain));
  ASSERT_EQ(lines.size(), 3u);
  EXPECT_EQ(lines[0], (Words{"y_mean", "y_latent_sd", "y_observed_sd", "y_low", "y_high"}));
  for (std::size_t k : {1, 2}) {
    const double mean = std::stod(lines[k][0]), latent = std::stod(lines[k][1]),
                 observed = std::stod(lines[k][2]);
    EXPECT_NEAR(observed * observed, latent * latent + 16, 1e-9);
    EXPECT_NEAR(std::stod(lines[k][3]), mean - 1.959964 * observed, 1e-4);
    EXPECT_NEAR(std::stod(lines[k][4]), mean + 1.959964 * observed, 1e-4);
  }
  EXPECT_NEAR(std::stod(lines[2][0]), 130, 8);
  const Json json = Json::parse(out(plain, {"--json"}));
  EXPECT_FALSE(json["predictions"][1].contains("id"));
  EXPECT_EQ(json["skipped"], 0);
  for (std::size_t k = 0; k < 5; ++k)
    EXPECT_EQ(json["predictions"][1][lines[0][k].substr(2)][0].get<double>(), std::stod(lines[2][k]));
}

TEST_F(Predict, IdsComeFirstAsTheyAre) {
  const std::string csv = "patient,age,ward,sex\n007,25,\"B, left\",f\n,60,NA,m\n";
  const std::string table = out(csv, {"--id", "patient,ward"});
  EXPECT_TRUE(table.starts_with("patient,ward,y_mean,")) << table;
  EXPECT_TRUE(contains(table, "\n007,\"B, left\",")) << table;
  EXPECT_TRUE(contains(table, "\n,NA,1")) << table;
  const Json json = Json::parse(out(csv, {"--id", "patient", "--id", "ward", "--json"}));
  EXPECT_EQ(json["predictions"][0]["id"], (Json{{"patient", "007"}, {"ward", "B, left"}}));
  EXPECT_EQ(json["predictions"][1]["id"]["patient"], "");
  // An input may also be the id.
  EXPECT_TRUE(contains(out("age,sex\n 25.0 ,f\n", {"--id", "age"}), "\n25.0,"));

  check_refused(predict(plain, {"--id", "age,age"}), {"--id", "age", "twice"});
  check_refused(predict("age,sex,y_low\n25,f,1\n", {"--id", "y_low"}), {"--id", "y_low", "rename"});
  check_refused(predict(plain, {"--id", "patient"}), {"new.csv", "no column \"patient\""});
}

TEST_F(Predict, StandardInputIsAFileLikeAnyOther) {
  const Words words{"predict", "--model", file, "--input", "-"};
  const std::string csv = folder.write("given.csv", plain);
  EXPECT_EQ(run_tacit(words, 0, csv).out, out(plain));
  check_refused(run_tacit(words, 0, folder.write("old.csv", "age,sex\n250,f\n30,m\n")),
                {"standard input, line 2, column \"age\""});
  check_refused(run_tacit(words), {"standard input", "empty"});
}

TEST_F(Predict, FilesInAnyDialectGiveTheSame) {
  EXPECT_EQ(out("age;sex\n25,0;f\n60,0;m\n", {"--decimal", "comma"}), out(plain));
  EXPECT_EQ(out("age;sex;a,b\n25;f;1\n60;m;2\n", {"--delimiter", "semicolon"}), out(plain));
}

TEST_F(Predict, AnAgeOf250IsRefusedAndNamed) {
  check_refused(predict("age,sex\n25,f\n250,m\n"),
                {"new.csv, line 3, column \"age\"", "250", "range 18 to 90", "--skip-bad"});
}

TEST_F(Predict, EverythingThatIsBadIsSaidAtOnce) {
  const Output output = predict("age,sex\n25,f\n250,m\n17,x\n,m\nold,f\n");
  EXPECT_EQ(output.exit_code, 2);
  EXPECT_EQ(output.out, "");
  for (const char* words :
       {"new.csv", "2 cells are outside the charter's range 18 to 90", "\"250\" in line 3",
        "\"17\" in line 4", "line 4, column \"sex\"", "\"x\" is not among the charter's levels",
        "line 5, column \"age\"", "line 6, column \"age\"", "\"old\"", "--skip-bad"})
    EXPECT_TRUE(contains(output.err, words)) << words << " is not in " << output.err;
  for (const char* option : {"--missing drop", "--categorical", "--inputs", "--date"})
    EXPECT_FALSE(contains(output.err, option)) << output.err;
}

TEST_F(Predict, SkippedRowsKeepTheirLines) {
  const std::string csv = "id,age,sex\n1,25,f\n2,250,m\n3,60,m\n4,30,x\n5,,m\n6,old,f\n";
  const Output output = predict(csv, {"--id", "id", "--skip-bad"});
  ASSERT_EQ(output.exit_code, 0) << output.err;
  EXPECT_TRUE(contains(output.err, "note: 4 of 6 rows")) << output.err;
  EXPECT_TRUE(contains(output.err, "range 18 to 90")) << output.err;
  const auto lines = cells_of(output.out), good = cells_of(out(plain));
  ASSERT_EQ(lines.size(), 7u);
  for (const std::size_t k : {2, 4, 5, 6})
    EXPECT_EQ(lines[k], (Words{std::to_string(k), "", "", "", "", ""}));
  for (const auto& [k, same] : {std::pair{1, 1}, std::pair{3, 2}}) {
    Words all{std::to_string(k)};
    all.insert(all.end(), good[static_cast<std::size_t>(same)].begin(),
               good[static_cast<std::size_t>(same)].end());
    EXPECT_EQ(lines[static_cast<std::size_t>(k)], all);
  }
  const Json json = Json::parse(out(csv, {"--id", "id", "--skip-bad", "--json"}));
  EXPECT_EQ(json["skipped"], 4);
  ASSERT_EQ(json["predictions"].size(), 6u);
  EXPECT_EQ(json["predictions"][1]["id"]["id"], "2");
  EXPECT_TRUE(json["predictions"][1]["mean"].is_null());
  EXPECT_TRUE(json["predictions"][1]["high"].is_null());
  EXPECT_FALSE(json["predictions"][2]["mean"].is_null());

  EXPECT_EQ(predict(plain, {"--skip-bad"}).err, predict(plain).err);  // no note
  const Output none = predict("age,sex\n250,f\n,m\n", {"--skip-bad"});
  EXPECT_EQ(none.exit_code, 2);
  EXPECT_EQ(none.out, "");
  EXPECT_TRUE(contains(none.err, "no row") || contains(none.err, "No valid row")) << none.err;
}

TEST_F(Predict, ValuesThatMeanMissing) {
  const std::string csv = "age,sex\n25,f\n60,m\n30,f\n";
  const auto lines = cells_of(out(csv, {"--missing-value", "age:30", "--skip-bad"}));
  ASSERT_EQ(lines.size(), 4u);
  EXPECT_EQ(lines[3], (Words{"", "", "", "", ""}));
  EXPECT_EQ(predict(csv, {"--missing", "drop"}).exit_code, 2);  // rows are never lost
}

TEST_F(Predict, AllMissingColumnsAreNamed) {
  check_refused(predict("name,height\na,1\n"), {"new.csv", "\"age\"", "\"sex\""});
  // A similar name is suggested only if it is not itself an input of the model.
  PortableModel many = model(1);
  many.inputs = {numbers("s1", 0, 9), numbers("s2", 0, 9), numbers("s3", 0, 9)};
  write_whole(file, many.to_file(), 0600);
  const Output output = predict("s1,s3\n1,2\n");
  check_refused(output, {"no column \"s2\""});
  EXPECT_FALSE(contains(output.err, "did you mean")) << output.err;
  EXPECT_TRUE(contains(predict("s1,S2,s3\n1,2,3\n").err, "did you mean \"S2\"")) << output.err;
}

TEST_F(Predict, WhatIsToBePredictedMayBeBlank) { EXPECT_EQ(out("age,sex,y\n25,f,\n60,m,NA\n"), out(plain)); }

TEST_F(Predict, EveryTargetHasItsColumns) {
  write_whole(file, model(2).to_file(), 0600);
  const auto lines = cells_of(out("age,sex\n25,f\n250,m\n", {"--skip-bad"}));
  ASSERT_EQ(lines.size(), 3u);
  ASSERT_EQ(lines[0].size(), 10u);
  EXPECT_EQ(lines[0][4], "y_high");
  EXPECT_EQ(lines[0][5], "weight_mean");
  EXPECT_EQ(lines[2], Words(10, ""));
}

TEST_F(Predict, ARefusalLeavesTheOutputFileAlone) {
  const std::string file_out = folder.write("predicted.csv", "mine\n");
  EXPECT_EQ(predict("age,sex\n250,m\n30,f\n", {"--output", file_out}).exit_code, 2);
  EXPECT_EQ(content(file_out), "mine\n");
  EXPECT_EQ(out(plain, {"--output", file_out}), "");
  EXPECT_EQ(content(file_out), out(plain));
}

}  // namespace
}  // namespace tacit::testing
