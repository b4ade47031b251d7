// Files as pandas, R, Excel and users write them.
#include <gtest/gtest.h>

#include <algorithm>

#include "tacit/table/cells/cell.hpp"
#include "tacit/table/rows/scratch_testing.hpp"

namespace tacit {
namespace {

using testing::copy;
using testing::Doubles;
using testing::fault_in;
using testing::Scratch;
using testing::Strings;

TEST(AsTheyCome, LeavesOutWhatHasNoNameInFront) {
  for (const std::string_view text :
       {",a,b\n0,5,6\n1,7,8\n2,9,1\n", "\"\",\"a\",\"b\"\n\"1\",5,6\n\"2\",7,8\n",
        ",a,b\n17,5,6\n4,7,8\n",  // from a table that was filtered or shuffled
        "\"\",\"a\",\"b\"\n\"Mazda\",5,6\n\"Fiat\",7,8\n"}) {
    const Scratch file(text);
    const Table table = read_data(file.path());
    EXPECT_EQ(copy(table.columns()), (Strings{"a", "b"}));
    EXPECT_EQ(table.numbers("a")[1], 7);
    EXPECT_EQ(copy(table.notes()), Strings{"the first column has no name, so it is left out"});
  }
  const Scratch twice(",Unnamed: 0,a\n0,1,5\n1,2,6\n");  // written, read and written again by pandas
  EXPECT_EQ(copy(read_data(twice.path()).columns()), Strings{"a"});
  EXPECT_EQ(copy(read_data(twice.path()).notes()),
            Strings{"the first 2 columns have no names, so they are left out"});
  EXPECT_EQ(fault_in("a,,b\n1,2,3\n"), "FILE, line 1: column 2 of 3 has no name; give it one.");
}

TEST(AsTheyCome, LeavesOutBlankCellsAfterTheLastColumn) {
  for (const std::string_view text :
       {"a;b;\n5;6;\n7;8;\n", "a;b\n5;6;\n7;8;\n", "a;b;\n5;6\n7;8\n", "a;b;\n5;6; \n7;8\n"}) {
    const Scratch file(text);
    const Table table = read_data(file.path());
    EXPECT_EQ(copy(table.columns()), (Strings{"a", "b"})) << text;
    EXPECT_EQ(copy(table.numbers("b")), (Doubles{6, 8})) << text;
    EXPECT_EQ(copy(table.notes()),
              Strings{"lines end with a semicolon, so the blank cells after the last column are left out"});
  }
  EXPECT_EQ(fault_in("a,b,\n1,2,\n3,4,5\n"),
            "FILE, line 3: there is a cell after the last named column; give its column a name.");
  EXPECT_NE(fault_in("a,b\n1,2\n3,4,\n").find("line 3: the row has 3 cells, but 2 are expected"),
            std::string::npos);
}

TEST(AsTheyCome, LeavesOutRowsOfBlankCells) {
  const Scratch file("a,b\n1,2\n,\n3,4\n , \n,\n");
  const Table table = read_data(file.path());
  EXPECT_EQ(copy(table.numbers("b")), (Doubles{2, 4}));
  EXPECT_EQ(copy(table.notes()), Strings{"3 lines with only blank cells are left out"});
  EXPECT_EQ(table.line_of(1), 4u);
}

TEST(AsTheyCome, ReadsExcelsLineOfTheSeparator) {
  for (const std::string_view text : {"sep=;\r\na, m;b\r\n1;2\r\n", "\xEF\xBB\xBF\"sep=;\"\na, m;b\n1;2\n"}) {
    const Scratch file(text);
    const Table table = read_data(file.path());
    EXPECT_EQ(copy(table.columns()), (Strings{"a, m", "b"}));
    EXPECT_EQ(table.line_of(0), 3u);
  }
  EXPECT_EQ(fault_in("sep=|\na|b\n1|2\n"),
            "FILE, line 1: the separator is \"|\", but only commas, semicolons and tabs are supported; save "
            "the file with one of them.");
  EXPECT_EQ(fault_in("sep=;\n"),
            "FILE: the file is empty; it needs a line of column names and at least one row below it.");
}

TEST(AsTheyCome, SpacesAroundNamesAndCellsDoNotCount) {
  const Scratch file("\" a b \",\u00a0c\u00a0\n\u00a01\u00a0,\"\u202f2 \"\n");
  const Table table = read_data(file.path());
  EXPECT_EQ(copy(table.columns()), (Strings{"a b", "c"}));
  EXPECT_EQ(table.numbers("c")[0], 2);
}

TEST(AsTheyCome, CellsAsSpreadsheetsAndStatisticiansWriteThem) {
  const auto fault_of = [](std::string_view cell, const ReadOptions& how = {}) {
    const std::string message = fault_in(fmt::format("a,bmi\n1,2\n3,\"{}\"\n", cell), {}, how);
    const std::string before = fmt::format("FILE, line 3, column \"bmi\": the cell {} ", shown(cell));
    EXPECT_TRUE(message.starts_with(before)) << message;
    return message.substr(std::min(before.size(), message.size()));
  };
  for (const char* cell : {"1,234,567", "1.234.567", "1 234", "1'234", "1.234,5", "-12,345.67", "1\u00a0234",
                           "1\u202f234\u202f567"})
    EXPECT_EQ(fault_of(cell), "has thousands separators; remove them.");
  for (const char* cell : {"12 kg", "$12", "12.50 \u20ac", "\u20ac 12", "<5", "1e"})
    EXPECT_EQ(fault_of(cell),
              "contains more than a number; write plain numbers in one unit, use `categorical=bmi` if "
              "these are categories, or leave the column out.");
  EXPECT_EQ(fault_of("5%"), "has a percent sign; write plain numbers in one unit.");
  for (const char* cell : {"TRUE", "False"})
    EXPECT_EQ(fault_of(cell), "is a true/false value; write 1 and 0 or use `categorical=bmi`.");
  for (const char* mark : {".", "-", "--"})
    EXPECT_EQ(
        fault_of(mark),
        fmt::format("is a placeholder and not a number; if it means missing, use `missing_value=bmi:{}` or "
                    "write numbers.",
                    mark));
  EXPECT_EQ(fault_of("*"),
            "is a placeholder and not a number; if it means missing, use `missing_value=bmi:*` or write "
            "numbers.");
  EXPECT_EQ(fault_of("#DIV/0!"), "is a spreadsheet error; correct the sheet or clear such cells.");
  for (const char* cell :
       {"2024-03-01", "2024-03-01T12:00:00", "2024-03-01 12:00", "01.03.2024", "03/01/2024"})
    EXPECT_EQ(fault_of(cell),
              "is a date; use `date=bmi` to count days since a start or leave the column out.");

  ReadOptions by_charter;
  by_charter.by_charter = true;
  EXPECT_EQ(fault_of("abc", by_charter), "is not a number; write numbers or remove the row.");
  EXPECT_EQ(
      fault_of("1,5", by_charter),
      "has a comma; if it is the decimal mark, use `decimal=comma`; if it separates thousands, remove it.");
  EXPECT_EQ(fault_of("2024-03-01", by_charter),
            "is a date; the charter declares numbers in this column; write numbers, or declare dates in the "
            "charter.");
  by_charter.settings = SettingsIn::agent_toml;
  EXPECT_EQ(
      fault_of("-", by_charter),
      "is a placeholder and not a number; if it means missing, use missing_values = [\"bmi:-\"] under [data] "
      "in agent.toml or write numbers.");
  EXPECT_EQ(fault_in("a,y\n1,f\n", {.fixed = {"y"}}),
            "FILE, line 2, column \"y\": the cell \"f\" is not a number; write numbers or remove the row.");
  ReadOptions nowhere;
  nowhere.settings = SettingsIn::nowhere;
  EXPECT_EQ(fault_of("abc", nowhere), "is not a number; write numbers or leave the column out.");
  EXPECT_EQ(fault_of("-", nowhere), "is a placeholder and not a number; write numbers.");
}

TEST(AsTheyCome, AllBadCellsAreSummedUpByColumn) {
  EXPECT_EQ(
      fault_in("a;b;c\n1,5;x;1\n2,5;2;\n3,5;y;NA\n4,5;z;4\n5;z;5\n"),
      "FILE: 10 cells in 3 columns cannot be used:\n"
      "  column \"a\": 4 cells have a comma (\"1,5\" in line 2, \"2,5\" in line 3, \"3,5\" in line 4, ...); "
      "if "
      "it is the decimal mark, use `decimal=comma`; if it separates thousands, remove it.\n"
      "  column \"b\": 4 cells are not numbers (\"x\" in line 2, \"y\" in line 4, \"z\" in line 5, ...); use "
      "`categorical=b` if these are categories, write numbers, or leave the column out.\n"
      "  column \"c\": 2 cells are missing values (blank in line 3, \"NA\" in line 4); fill in a value, "
      "leave "
      "the column out, or drop such rows with `missing=drop`.");
}

TEST(AsTheyCome, CellsThatOnlySpacesSeparate) {
  EXPECT_EQ(
      fault_in("\"age\" \"y\"\n\"1\" 50 2\n"),
      "FILE, line 1: there is text after a quoted name; separate names and cells by commas, semicolons or "
      "tabs.");
  EXPECT_EQ(fault_in("age y\n50 2\n", {.only = {"y"}}),
            "FILE: there is no column \"y\"; the only column is \"age y\"; if this is more than one column, "
            "separate cells by commas, semicolons or tabs.");
  EXPECT_EQ(
      fault_in("age y\n50 2\n", {.only = {"age", "y"}}),
      "FILE: there are no columns \"age\" and \"y\"; the only column is \"age y\"; if this is more than one "
      "column, separate cells by commas, semicolons or tabs.");
}

}  // namespace
}  // namespace tacit
