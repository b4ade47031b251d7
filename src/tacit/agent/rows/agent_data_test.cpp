#include "tacit/agent/rows/agent_data.hpp"

#include <gtest/gtest.h>

#include "tacit/base/base_testing.hpp"
#include "tacit/base/error.hpp"
#include "tacit/identity/identity_testing.hpp"

namespace tacit {
namespace {

using testing::says;

class PointsOfAFile : public ::testing::Test {
 protected:
  Points read(const std::string& csv, const PointOptions& options = {}, const ReadOptions& how = {}) {
    return read_points(folder.write("new.csv", csv), inputs, targets, options, how);
  }
  std::string refusal(const std::string& csv, const PointOptions& options = {}) {
    try {
      read(csv, options);
    } catch (const InputError& e) {
      return e.what();
    }
    return "";
  }

  testing::ScratchFolder folder;
  std::vector<Column> inputs{{"age", 18, 90, {}}, {"sex", 0, 0, {"f", "m"}}}, targets;
};

TEST_F(PointsOfAFile, AreInTheColumnsOfTheModel) {
  const Points points = read("sex,note,age\nm,?,30\nf,,90\n");
  EXPECT_EQ(points.rows.inputs, (Matrix{{30, 0, 1}, {90, 1, 0}}));
  EXPECT_EQ(points.rows.outputs.size(), 0);
  EXPECT_EQ(points.rows_of_file, (std::vector<std::size_t>{0, 1}));
  EXPECT_EQ(points.skipped(), 0u);
  EXPECT_EQ(points.why_skipped, "");
}

TEST_F(PointsOfAFile, BadRowsAreRefusedOrLeftOut) {
  const std::string csv = "age,sex\n30,f\n91,m\nold,f\n40,\n50,x\n60,m\n";
  const std::string refused = refusal(csv);
  for (const char* words :
       {"new.csv", "line 3", "range 18 to 90", "line 4", "line 5", "line 6", "`skip_bad`"})
    EXPECT_TRUE(says(refused, words)) << words << " is not in " << refused;
  const Points points = read(csv, {.skip_bad = true});
  EXPECT_EQ(points.rows.inputs, (Matrix{{30, 1, 0}, {60, 0, 1}}));
  EXPECT_EQ(points.rows_of_file, (std::vector<std::size_t>{0, 5}));
  EXPECT_EQ(points.count, 6u);
  EXPECT_EQ(points.skipped(), 4u);
  EXPECT_TRUE(says(points.why_skipped, "range 18 to 90"));
  EXPECT_TRUE(says(refusal("age,sex\n91,m\n,f\n", {.skip_bad = true}), "No valid row is left"));
}

TEST_F(PointsOfAFile, IdsAreKeptForAllRows) {
  const Points points =
      read("age,id,sex\n30, 07 ,f\n91,,m\n40,NA,f\n", {.ids = {"id", "age"}, .skip_bad = true});
  ASSERT_EQ(points.ids.size(), 2u);
  EXPECT_EQ(points.ids[0].cells, (std::vector<std::string>{"07", "", "NA"}));
  EXPECT_EQ(points.ids[1].cells, (std::vector<std::string>{"30", "91", "40"}));
  EXPECT_EQ(points.skipped(), 1u);
}

TEST_F(PointsOfAFile, TargetsMayHaveAnyValueButMustBeThere) {
  targets = {{"y", 0, 100, {}}};
  EXPECT_EQ(read("age,sex,y\n30,f,-5\n40,m,1e6\n").rows.outputs, (Matrix{{-5}, {1e6}}));
  EXPECT_TRUE(says(refusal("age,sex,y\n30,f,1\n40,m,\n"), "line 3, column \"y\""));
  EXPECT_EQ(read("age,sex,y\n30,f,\n40,m,2\n", {.skip_bad = true}).rows.outputs, (Matrix{{2}}));
  EXPECT_TRUE(says(refusal("age,sex\n30,f\n"), "no column \"y\""));
}

TEST_F(PointsOfAFile, AnOwnersWayOfWritingNumbersIsKnown) {
  ReadOptions how{.decimal_comma = true, .missing_values = {{"age", {"99"}}}};
  EXPECT_EQ(read("age;sex\n30,5;f\n", {}, how).rows.inputs, (Matrix{{30.5, 1, 0}}));
  EXPECT_EQ(read("age;sex\n30;f\n99;m\n", {.skip_bad = true}, how).rows_of_file,
            (std::vector<std::size_t>{0}));
}

}  // namespace
}  // namespace tacit
