// File formats: the same table in another format gives bitwise the same predictions.
#include <gtest/gtest.h>
#include <matio.h>

#include <cstdlib>

#include "program_json_testing.hpp"
#include "refused_testing.hpp"
#include "tacit/table/gzip_testing.hpp"

namespace tacit::testing {
namespace {

// Forty rows of three inputs and two targets, as cells.
std::vector<std::vector<std::string>> some_table() {
  std::vector<std::vector<std::string>> table = {{"a", "stage", "b", "y", "z"}};
  const char* stages[] = {"early", "late", "none"};
  for (int r = 0; r < 40; ++r)
    table.push_back({std::to_string((r * 7) % 11) + ".5", stages[(r * r + r / 3) % 3],
                     std::to_string(r % 5 - 2), std::to_string((r * 13) % 17) + ".25",
                     std::to_string((r * 5) % 7)});
  return table;
}

std::string as_csv(const std::vector<std::vector<std::string>>& table, char delimiter = ',',
                   bool comma = false) {
  std::string text;
  for (const auto& row : table)
    for (std::size_t c = 0; c < row.size(); ++c) {
      std::string cell = row[c];
      if (comma && cell.find('.') != cell.npos) cell[cell.find('.')] = ',';
      text += cell + (c + 1 < row.size() ? delimiter : '\n');
    }
  return text;
}

// Replaces `column` by one column of zeros and ones for each level.
std::vector<std::vector<std::string>> with_levels(std::vector<std::vector<std::string>> table,
                                                  std::size_t column,
                                                  const std::vector<std::string>& levels) {
  const std::string name = table[0][column];
  for (std::size_t r = 0; r < table.size(); ++r) {
    std::vector<std::string> cells;
    for (const std::string& level : levels)
      cells.push_back(r == 0 ? name + "=" + level : table[r][column] == level ? "1" : "0");
    table[r].erase(table[r].begin() + static_cast<long>(column));
    table[r].insert(table[r].begin() + static_cast<long>(column), cells.begin(), cells.end());
  }
  return table;
}

const std::vector<std::string> levels = {"early", "late", "none"};

Json run_on(const std::string& file, const std::vector<std::string>& options) {
  std::vector<std::string> arguments = {"simulate", "--data",      file,         "--target", "y,z",
                                        "--agents", "4",           "--topology", "complete", "--standardise",
                                        "private",  "--landmarks", "0"};
  arguments.insert(arguments.end(), options.begin(), options.end());
  return run_json(arguments);
}

TEST(Data, EveryDialectGivesTheSamePredictions) {
  const Folder folder;
  const auto table = with_levels(some_table(), 1, levels);
  const Json plain = run_on(folder.write("plain.csv", as_csv(table)), {});
  EXPECT_EQ(plain["data"]["dropped"], 0);
  EXPECT_EQ(plain["data"]["files"][0]["rows"], 40);
  EXPECT_EQ(plain["predictions"][0]["mean"].size(), 2u);
  const std::vector<std::pair<std::string, std::vector<std::string>>> others = {
      {as_csv(table, ';'), {}},
      {as_csv(table, '\t'), {"--delimiter", "tab"}},
      {as_csv(table, ';', true), {"--decimal", "comma"}},
      {gzipped(as_csv(table, '\t')), {}}};
  for (const auto& [text, options] : others) {
    const Json other = run_on(folder.write("other.csv", text), options);
    for (const char* same : {"inputs", "predictions", "reference", "standardise", "accuracy", "plan"})
      EXPECT_EQ(other[same], plain[same]) << same;
  }
}

TEST(Data, LevelsAreColumnsOfZerosAndOnes) {
  const Folder folder;
  const std::string by_hand = folder.write("hand.csv", as_csv(with_levels(some_table(), 1, levels)));
  const std::string words = folder.write("words.csv", as_csv(some_table()));
  const Json expected = run_on(by_hand, {}), got = run_on(words, {"--categorical", "stage"});
  EXPECT_EQ(got["inputs"], Json({"a", "stage=early", "stage=late", "stage=none", "b"}));
  EXPECT_EQ(got["data"]["categorical"]["stage"], Json(levels));
  for (const char* same : {"inputs", "predictions", "reference", "standardise", "accuracy"})
    EXPECT_EQ(got[same], expected[same]) << same;

  // Declared levels keep their order. The level that does not occur is a constant column for standardisation.
  const Json declared = run_on(words, {"--categorical", "stage:none|unknown|early|late"});
  EXPECT_EQ(declared["inputs"][2], "stage=unknown");
  EXPECT_EQ(declared["standardise"]["constant_columns"], 1);
  EXPECT_NEAR(declared["accuracy"]["private"].get<double>(), expected["accuracy"]["private"].get<double>(),
              0.5);
}

TEST(Data, TheTestFileHasTheSameLevels) {
  const Folder folder;
  const auto table = some_table();
  const std::vector<std::vector<std::string>> few(table.begin(), table.begin() + 3);
  const std::string test = folder.write("test.csv", as_csv(few, ';'));
  const std::string test_by_hand = folder.write("test2.csv", as_csv(with_levels(few, 1, levels)));
  const Json got = run_on(folder.write("a.csv", as_csv(table)), {"--categorical", "stage", "--test", test});
  const Json expected =
      run_on(folder.write("b.csv", as_csv(with_levels(table, 1, levels))), {"--test", test_by_hand});
  EXPECT_EQ(got["predictions"], expected["predictions"]);
  EXPECT_EQ(got["data"]["files"][1]["test"], true);
  EXPECT_EQ(
      run_on(folder.path("a.csv"), {"--categorical", "stage", "--inputs", "stage", "--test", test})["inputs"]
          .size(),
      3u);
}

TEST(Data, DroppedRowsAreCountedAndTheRestIsAsWithoutThem) {
  const Folder folder;
  auto table = some_table();
  const std::string without = folder.write("without.csv", as_csv(table));
  table.insert(table.begin() + 5, {"1", "NA", "2", "3", "4"});
  table.insert(table.begin() + 20, {"", "late", "?", "3", "4"});
  table.push_back({"1", "late", "2", "null", "4"});
  const std::string with = folder.write("with.csv", as_csv(table));
  const std::vector<std::string> options = {"--categorical", "stage", "--missing", "drop"};
  const Json got = run_on(with, options);
  EXPECT_EQ(got["predictions"], run_on(without, options)["predictions"]);
  EXPECT_EQ(got["data"]["files"][0], Json({{"file", with}, {"rows", 40}, {"dropped", 3}, {"test", false}}));
  const Output output = run_tacit({"simulate", "--data", with, "--target", "z", "--agents", "5", "--inputs",
                                   "a,stage", "--categorical", "stage", "--missing", "drop"});
  EXPECT_NE(output.out.find("2 rows of " + with + " dropped because of a missing cell, 41 left"),
            std::string::npos)
      << output.out << output.err;
}

TEST(Data, FilesAsPandasRAndExcelWriteThemGiveTheSamePredictions) {
  const Folder folder;
  const auto table = with_levels(some_table(), 1, levels);
  const Json plain = run_on(folder.write("plain.csv", as_csv(table)), {});
  EXPECT_EQ(plain["data"]["notes"], Json::array());
  auto numbered = table, trailing = table;
  for (std::size_t r = 0; r < table.size(); ++r) {
    numbered[r].insert(numbered[r].begin(), r == 0 ? "" : std::to_string(r - 1));
    trailing[r].emplace_back();
  }
  const std::string excel = "\xEF\xBB\xBFsep=;\n" + as_csv(trailing, ';', true) + ";;;;;;;\n;;;;;;;\n";
  const std::vector<std::tuple<std::string, std::vector<std::string>, std::vector<std::string>>> others = {
      {as_csv(numbered), {}, {"the first column has no name, so it is left out"}},
      {excel, {"--decimal", "comma"}, {"lines end with a semicolon", "2 lines with only blank cells"}}};
  for (const auto& [text, options, notes] : others) {
    const std::string file = folder.write("other.csv", text);
    const Json other = run_on(file, options);
    for (const char* same : {"inputs", "predictions", "accuracy"})
      EXPECT_EQ(other[same], plain[same]) << same;
    ASSERT_EQ(other["data"]["notes"].size(), notes.size()) << other["data"];
    for (std::size_t k = 0; k < notes.size(); ++k)
      EXPECT_EQ(other["data"]["notes"][k].get<std::string>().rfind(file + ": " + notes[k], 0), 0u)
          << other["data"];
  }
  const Output output =
      run_tacit({"simulate", "--data", folder.write("numbered.csv", as_csv(numbered)), "--target", "y, z",
                 "--inputs", "a, b", "--agents", "4", "--topology", "complete"});
  EXPECT_NE(output.out.find("Data     " + folder.path("numbered.csv") + ": the first column has no name"),
            std::string::npos)
      << output.out << output.err;
}

// Compares a table that has a column of dates with one that has the expected numbers instead.
TEST(Data, DatesAreDaysSinceTheEarliest) {
  const Folder folder;
  const char* dates[] = {"2024-03-04", "2024-02-29 12:00", "2024-03-05T06:00:00Z", "28.02.2024",
                         "2024-03-03"};
  const char* days[] = {"5", "1.5", "6.25", "0", "4"};
  const char* weekdays[] = {"1", "4", "2", "3", "7"};
  auto with_dates = with_levels(some_table(), 1, levels), by_hand = with_dates;
  for (std::size_t r = 0; r < with_dates.size(); ++r) {
    with_dates[r].insert(with_dates[r].begin(), r == 0 ? "seen" : dates[r % 5]);
    by_hand[r].insert(by_hand[r].begin(), r == 0 ? "seen" : days[r % 5]);
    by_hand[r].insert(by_hand[r].end(), r == 0 ? "seen.weekday" : weekdays[r % 5]);
  }
  const std::string file = folder.write("dates.csv", as_csv(with_dates));
  const Json got = run_on(file, {"--date", "seen:weekday"});
  const Json expected = run_on(folder.write("hand.csv", as_csv(by_hand)), {});
  for (const char* same : {"inputs", "predictions", "standardise", "accuracy"})
    EXPECT_EQ(got[same], expected[same]) << same;
  EXPECT_EQ(got["data"]["dates"]["seen"], Json({{"start", "2024-02-28"}, {"parts", {"weekday"}}}));

  // Days of a test file count from the same start, whatever its own dates are.
  const auto late = [&](const auto& table) { return decltype(some_table()){table[0], table[2]}; };
  EXPECT_EQ(run_on(file, {"--date", "seen:weekday", "--test",
                          folder.write("late.csv", as_csv(late(with_dates)))})["predictions"],
            run_on(folder.path("hand.csv"),
                   {"--test", folder.write("late2.csv", as_csv(late(by_hand)))})["predictions"]);

  const Output output = run_tacit({"simulate", "--data", file, "--target", "y", "--inputs", "a,seen",
                                   "--agents", "4", "--topology", "complete", "--date", "seen"});
  EXPECT_NE(output.out.find("seen counts days since 2024-02-28, the earliest date in the data"),
            std::string::npos)
      << output.out << output.err;
  const Json fixed = run_on(file, {"--date", "seen:2020-01-01", "--inputs", "seen"});
  EXPECT_EQ(fixed["data"]["dates"]["seen"]["start"], "2020-01-01");
}

TEST(Data, TheEarliestDateIsThatOfAllFiles) {
  const Folder folder;
  std::vector<std::string> arguments = {"simulate", "--target", "y",   "--topology",
                                        "complete", "--date",   "seen"};
  for (const std::string month : {"05", "02", "11"}) {
    std::string text = "seen,y\n";
    for (int day = 10; day < 20; ++day)
      text += "2024-" + month + "-" + std::to_string(day) + "," + std::to_string(day % 4) + "\n";
    arguments.insert(arguments.end(), {"--data", folder.write(month + ".csv", text)});
  }
  EXPECT_EQ(run_json(arguments)["data"]["dates"]["seen"]["start"], "2024-02-10");
}

TEST(Data, MatlabFilesGiveTheSamePredictions) {
  const Folder folder;
  const auto table = with_levels(some_table(), 1, levels);
  const std::size_t rows = table.size() - 1;
  std::vector<double> inputs, y, z;
  for (std::size_t c = 0; c < table[0].size(); ++c)
    for (std::size_t r = 1; r <= rows; ++r)
      (c < 5 ? inputs : c == 5 ? y : z).push_back(std::strtod(table[r][c].c_str(), nullptr));
  mat_t* file = Mat_CreateVer(folder.path("arm.mat").c_str(), nullptr, MAT_FT_MAT5);
  ASSERT_NE(file, nullptr);
  for (auto& [name, numbers] :
       {std::pair<const char*, std::vector<double>*>{"X", &inputs}, {"y", &y}, {"z", &z}}) {
    std::size_t dims[2] = {rows, numbers->size() / rows};
    matvar_t* v = Mat_VarCreate(name, MAT_C_DOUBLE, MAT_T_DOUBLE, 2, dims, numbers->data(), 0);
    Mat_VarWrite(file, v, MAT_COMPRESSION_ZLIB);
    Mat_VarFree(v);
  }
  Mat_Close(file);
  const Json got = run_on(folder.path("arm.mat"), {});
  EXPECT_EQ(got["inputs"], Json({"X1", "X2", "X3", "X4", "X5"}));
  EXPECT_EQ(got["predictions"], run_on(folder.write("plain.csv", as_csv(table)), {})["predictions"]);
}

// Four hospitals with different missing values.
class Heart : public ::testing::Test {
 protected:
  void SetUp() override {
    if (!std::filesystem::exists(heart + "cleveland.csv")) GTEST_SKIP() << "../shared/data is absent";
  }
  static std::vector<std::string> arguments(const std::vector<std::string>& more) {
    std::vector<std::string> all = {"simulate", "--topology", "complete", "--target", "num"};
    for (const char* name : {"cleveland", "hungarian", "switzerland", "va"})
      all.insert(all.end(), {"--data", heart + name + ".csv"});
    all.insert(all.end(), more.begin(), more.end());
    return all;
  }
  static inline const std::string heart = TACIT_SOURCE_DIR "/../shared/data/heart/";
};

TEST_F(Heart, FourHospitalsLearnTogether) {
  const Json got =
      run_json(arguments({"--inputs", "age,sex,cp,thalach,exang,oldpeak", "--missing", "drop",
                          "--categorical", "cp", "--standardise", "private", "--tune", "exact"}));
  const std::vector<std::size_t> rows = {303, 293, 117, 144}, dropped = {0, 1, 6, 56};  // counted by awk
  for (std::size_t i = 0; i < 4; ++i) {
    EXPECT_EQ(got["data"]["files"][i]["rows"], rows[i]);
    EXPECT_EQ(got["data"]["files"][i]["dropped"], dropped[i]);
  }
  EXPECT_EQ(got["data"]["dropped"], 63);
  EXPECT_EQ(got["data"]["categorical"]["cp"], Json({"1", "2", "3", "4"}));
  EXPECT_EQ(got["names"][2], "switzerland.csv");
  EXPECT_LT(got["accuracy"]["private"], got["accuracy"]["local"]);
}

TEST_F(Heart, WhatIsMissingIsSaid) {
  check_refused(run_tacit(arguments({"--categorical", "cp"})),
                {"cleveland.csv: 6 cells in 2 columns", "\"thal\": 2 cells", "line 89", "\"ca\": 4 cells",
                 "--missing drop"},
                3);
  check_refused(run_tacit(arguments({"--categorical", "cp", "--missing", "drop"})),
                {"switzerland.csv", "118 in \"ca\"", "--inputs"});
  check_refused(
      run_tacit(arguments({"--inputs", "age,chol", "--missing", "drop", "--missing-value", "chol:0"})),
      {"switzerland.csv", "123 in \"chol\""});
}

}  // namespace
}  // namespace tacit::testing
