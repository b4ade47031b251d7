#include "tacit/table/cells/one_hot.hpp"

#include <gtest/gtest.h>

#include "tacit/table/csv/csv.hpp"
#include "tacit/table/rows/scratch_testing.hpp"

namespace tacit {
namespace {

using testing::error_of;
using testing::Strings;

Table table_of(const std::string& name, const std::string& text, Missing missing = Missing::refuse) {
  ReadOptions how;
  how.missing = missing;
  how.categorical = {{"c", {}}};
  return parse_table(name, text, {}, how);
}

TEST(OneHot, LevelsAreTheSortedUnionOfAllFiles) {
  const std::vector<Table> tables = {table_of("a", "c,y\n10,1\nb,2\n"),
                                     table_of("b", "c,y\n9,1\n\" b \",2\na,3\n")};
  EXPECT_EQ(levels_of({"c", {}}, tables), (Strings{"9", "10", "a", "b"}));
  EXPECT_EQ(levels_of({"c", {"b", "a"}}, tables), (Strings{"b", "a"}));
}

TEST(OneHot, LevelsOfDroppedRowsOnlyAreNone) {
  const std::vector<Table> tables = {table_of("a", "c,y\nu,1\nv,\n", Missing::drop)};
  EXPECT_EQ(levels_of({"c", {}}, tables), Strings{"u"});
}

TEST(OneHot, PlacesFollowTheLevels) {
  const Table table = table_of("t", "c,y\nx,1\nz,2\nx,3\n");
  EXPECT_EQ(level_places(table, "c", Strings{"z", "y", "x"}), (std::vector<std::uint32_t>{2, 0, 2}));
  EXPECT_EQ(level_column("c", "x"), "c=x");
}

TEST(OneHot, AnUnknownLevelIsRefusedWhereItIs) {
  const Table table = table_of("t.csv", "c,y\nx,1\n\nq,2\n");
  EXPECT_EQ(error_of([&] {
              level_places(table, "c", Strings{"x", "y"});
            }),
            "t.csv, line 4, column \"c\": the cell \"q\" is not one of the levels \"x\", \"y\"; "
            "correct the file, or declare all levels with `categorical=c:LEVEL|LEVEL|...`.");
}

TEST(OneHot, LevelsThatCannotBeMeantAreRefused) {
  auto refusal = [](const Strings& declared, const std::string& text) {
    const std::vector<Table> tables = {table_of("t", text)};
    return error_of([&] { levels_of({"c", declared}, tables); });
  };
  EXPECT_NE(refusal({}, "c,y\n1,1\n1.0,2\n").find("\"1\" and \"1.0\" of column 'c' are the same number"),
            std::string::npos);
  EXPECT_NE(refusal({"a", "b", "a"}, "c,y\na,1\n").find("declared twice"), std::string::npos);
  EXPECT_NE(refusal({"a", " "}, "c,y\na,1\n").find("blank"), std::string::npos);
  std::string many = "c,y\n";
  for (std::size_t i = 0; i <= most_levels; ++i) many += fmt::format("id{},1\n", i);
  EXPECT_NE(refusal({}, many).find("1001 different values"), std::string::npos);
}

}  // namespace
}  // namespace tacit
