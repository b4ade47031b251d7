// Missing cells in all file formats.
#include <gtest/gtest.h>

#include <cmath>

#include "tacit/table/cells/cell.hpp"
#include "tacit/table/csv/csv.hpp"
#include "tacit/table/rows/scratch_testing.hpp"

namespace tacit {
namespace {

using testing::copy;
using testing::Doubles;
using testing::error_of;
using testing::fault_in;
using testing::Scratch;
using testing::Strings;

const ReadOptions dropping{.delimiter = {}, .decimal_comma = false, .missing = Missing::drop};

TEST(Missing, WordsThatCount) {
  for (const char* cell : {"", " \t", "NA", "na", "NaN", "nan", "NAN", "null", "NULL", "?", " ? ", "N/A",
                           "#N/A", "n/a", "<NA>", "NaT", "\u00a0", "\u202f NA\u00a0"})
    EXPECT_TRUE(is_missing(cell)) << cell;
  for (const char* cell : {"0", "-", "none", "None", "nan(7)", "NA1", "??", ".", "#DIV/0!"})
    EXPECT_FALSE(is_missing(cell)) << cell;
  EXPECT_TRUE(is_missing_number("None"));
  EXPECT_FALSE(is_missing_number("."));
}

TEST(Missing, IsRefusedWithTheCure) {
  for (const char* cell : {"NA", "NaN", "?", "null"})
    EXPECT_EQ(
        fault_in(fmt::format("a,b\n1,2\n3, {}\n", cell)),
        fmt::format(
            "FILE, line 3, column \"b\": the cell \"{}\" is a missing value; fill in a value, leave the "
            "column out, or drop such rows with `missing=drop`.",
            cell));
}

TEST(Missing, AdviceIsForThePlaceWhereSettingsAre) {
  ReadOptions how;
  how.settings = SettingsIn::agent_toml;
  EXPECT_EQ(
      fault_in("a,b\n1,2\n3,NA\n", {}, how),
      "FILE, line 3, column \"b\": the cell \"NA\" is a missing value; fill in a value, remove the row, or "
      "drop such rows with missing = \"drop\" under [data] in agent.toml.");
  how.settings = SettingsIn::nowhere;
  EXPECT_EQ(
      fault_in("a,b\n1,2\n3,NA\n", {}, how),
      "FILE, line 3, column \"b\": the cell \"NA\" is a missing value; fill in a value or leave the column "
      "out.");
}

TEST(Missing, NoneIsALevelAmongTextsAndMissingAmongNumbers) {
  const Table table =
      parse_table("t", "s,x\nNone,1\nb,None\n", {.text_columns = {"s"}, .only = {}}, dropping);
  EXPECT_EQ(copy(table.texts("s")), Strings{"None"});
  EXPECT_EQ(table.dropped(), 1u);
}

TEST(Missing, RowsAreDroppedAndCounted) {
  const Table table = parse_table("t", "a,b,s\n1,,x\n2,3,y\nNA,4,z\n5,6,?\n\n7,8,y\n",
                                  {.text_columns = {"s"}, .only = {}}, dropping);
  EXPECT_EQ(copy(table.numbers("a")), (Doubles{2, 7}));
  EXPECT_EQ(copy(table.numbers("b")), (Doubles{3, 8}));
  EXPECT_EQ(copy(table.texts("s")), (Strings{"y", "y"}));
  EXPECT_EQ(table.dropped(), 3u);
  EXPECT_EQ(table.line_of(0), 3u);
  EXPECT_EQ(table.line_of(1), 7u);
  EXPECT_EQ(copy(table.texts("s").words()), (Strings{"x", "y", "z"}));  // including those without a row
}

TEST(Missing, UnusedColumnsDoNotMatter) {
  const Table table = parse_table("t", "a,b,c\n1,,2\n3,NA,\n", {.text_columns = {}, .only = {"a"}}, dropping);
  EXPECT_EQ(copy(table.numbers("a")), (Doubles{1, 3}));
  EXPECT_EQ(table.dropped(), 0u);
}

TEST(Missing, ATypoInADroppedRowIsStillReported) {
  EXPECT_NE(fault_in("a,b\n1,2\n,x1\n", {}, dropping).find("line 3, column \"b\": the cell \"x1\""),
            std::string::npos);
}

TEST(Missing, NothingLeftIsRefusedNamingTheColumns) {
  EXPECT_EQ(fault_in("a,b,c\n1,,2\n3,,NA\n", {.chosen_by = "`inputs`"}, dropping),
            "FILE: each of its 2 rows has a missing value in a needed column (2 in \"b\", 1 in \"c\"), so no "
            "row is "
            "left; leave such columns out (`inputs` names the columns to use) or leave out the file.");
}

TEST(Missing, ValuesOfAColumnCanMeanIt) {
  ReadOptions how = dropping;
  how.missing_values = {{"chol", {"0", "unknown"}}, {"elsewhere", {"1"}}};
  const std::string_view text = "chol,x\n0,0\n0.0,1\n10,2\nunknown,3\n";
  const Table table = parse_table("t", text, {}, how);
  EXPECT_EQ(copy(table.numbers("chol")), Doubles{10});
  EXPECT_EQ(table.dropped(), 3u);
  how.missing = Missing::refuse;
  EXPECT_EQ(
      error_of([&] { parse_table("t", text, {}, how); }),
      "t, column \"chol\": 3 cells are missing values (\"0\" in line 2, \"0.0\" in line 3, \"unknown\" in "
      "line 5); fill in a value, leave the column out, or drop such rows with `missing=drop`.");
}

TEST(Missing, ADeclaredLevelIsNotMissing) {
  ReadOptions how = dropping;
  how.categorical = {{"continent", {"EU", "NA"}}};
  const Table table = parse_table("t", "continent,y\nNA,1\nEU,2\n,3\nnan,4\n", {}, how);
  EXPECT_EQ(copy(table.texts("continent")), (Strings{"NA", "EU"}));
  EXPECT_EQ(table.dropped(), 2u);
}

// For prediction points: no row is lost, and rows with bad cells are marked.
TEST(Missing, RowsMayBeKeptWithTheirBadCells) {
  const Scratch file("a,when,site,id\n1,2024-01-02,x,\n,2024-01-03,y,7\nz,soon,,8\n4,2024-01-05,x,NA\n");
  const Table table = read_data(
      file.path(), {.text_columns = {"site"}, .only = {"a", "when", "when.month"}, .ids = {"id", "a"}},
      {.missing = Missing::keep, .dates = {{"when", "2024-01-01", {"month"}}}});
  ASSERT_EQ(table.rows(), 4u);
  EXPECT_EQ(copy(table.bad_rows()), (std::vector<std::size_t>{1, 2}));
  EXPECT_EQ(table.bad_cells().count(), 4u);
  EXPECT_EQ(table.dropped(), 0u);
  const auto a = table.numbers("a"), days = table.numbers("when"), months = table.numbers("when.month");
  EXPECT_TRUE(a[0] == 1 && std::isnan(a[1]) && std::isnan(a[2]) && a[3] == 4);
  EXPECT_TRUE(days[1] == 2 && std::isnan(days[2]) && days[3] == 4);
  EXPECT_TRUE(months[1] == 1 && std::isnan(months[2]) && months[3] == 1);
  EXPECT_EQ(copy(table.texts("site")), (Strings{"x", "y", "", "x"}));
  EXPECT_EQ(copy(table.ids("id")), (Strings{"", "7", "8", "NA"}));
  EXPECT_EQ(copy(table.ids("a")), (Strings{"1", "", "z", "4"}));
  EXPECT_EQ(table.line_of(3), 5u);
  const std::string text = table.bad_cells().text();
  EXPECT_NE(text.find("4 cells in 3 columns"), std::string::npos) << text;
  EXPECT_EQ(text.find("`missing=drop`"), std::string::npos) << text;
}

}  // namespace
}  // namespace tacit
