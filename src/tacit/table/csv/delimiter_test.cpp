#include "tacit/table/csv/delimiter.hpp"

#include <gtest/gtest.h>

#include "tacit/table/csv/csv.hpp"
#include "tacit/table/rows/scratch_testing.hpp"

namespace tacit {
namespace {

using testing::copy;
using testing::Doubles;
using testing::fault_in;
using testing::Strings;

TEST(Delimiter, IsTheOneOutsideQuotes) {
  EXPECT_EQ(find_delimiter("a,b"), ',');
  EXPECT_EQ(find_delimiter("a;b"), ';');
  EXPECT_EQ(find_delimiter("a\tb c\td"), '\t');
  EXPECT_EQ(find_delimiter("\"a,b\";\"c\td\""), ';');
  EXPECT_EQ(find_delimiter("\"say \"\"a;b\"\"\",c"), ',');
  EXPECT_EQ(find_delimiter("a"), ',');
  EXPECT_EQ(find_delimiter("a;b,c"), std::nullopt);
  EXPECT_EQ(find_delimiter("a\tb;c"), std::nullopt);
}

TEST(Delimiter, TablesOfEachAreReadAlike) {
  for (const char* text : {"a,b\n1,2.5\n", "a;b\r\n1;2.5\r\n", "a\tb\r1\t2.5\r", "\"a\";\"b\"\n\"1\";2.5\n",
                           " \t\n\n\"a\"\t\"b\"\n1\t\"2.5\"", "\xEF\xBB\xBF\"a\" ; b\n 1 ; 2.5 \n"}) {
    const Table table = parse_table("t", text);
    EXPECT_EQ(copy(table.columns()), (Strings{"a", "b"})) << text;
    EXPECT_EQ(copy(table.numbers("a")), Doubles{1}) << text;
    EXPECT_EQ(copy(table.numbers("b")), Doubles{2.5}) << text;
  }
}

TEST(Delimiter, CellsOfATabFileMayBeEmpty) {
  const Table table = parse_table("t", "a\tb\tc\n1\t\t3\n", {.text_columns = {}, .only = {"a", "c"}});
  EXPECT_EQ(table.numbers("c")[0], 3);
}

TEST(Delimiter, AHeaderThatDoesNotTellIsRefused) {
  const std::string expected =
      ": the header contains more than one of comma, semicolon and tab outside quotes, so it is not clear "
      "which of them separates columns; set it with `delimiter=semicolon` (or comma, or tab).";
  EXPECT_EQ(fault_in("a;b,c\n1;2\n"), "FILE, line 1" + expected);
  EXPECT_EQ(fault_in("\r\n \r\nlength, m;b\r\n1;2\r\n"), "FILE, line 3" + expected);
  const Table table = parse_table("t", "length, m;b\n1;2\n", {}, {.delimiter = ';'});
  EXPECT_EQ(copy(table.columns()), (Strings{"length, m", "b"}));
}

TEST(Delimiter, AHeaderMayContinueInsideQuotes) {
  const Table table = parse_table("t", "\"a;\nb, c\";d\n1;2\n");
  EXPECT_EQ(copy(table.columns()), (Strings{"a;\nb, c", "d"}));
  EXPECT_EQ(table.line_of(0), 3u);
}

TEST(Delimiter, MessagesNameIt) {
  EXPECT_EQ(fault_in("a;b\n1;2;3\n"),
            "FILE, line 2: the row has 3 cells, but 2 are expected; put cells that contain semicolons in "
            "quotes; or, if R wrote row names in front, write the file with row.names = FALSE.");
}

TEST(DecimalComma, IsRefusedWithTheCureUnlessAskedFor) {
  const std::string_view text = "a;b\n1,5;-2\n";
  EXPECT_EQ(fault_in(text),
            "FILE, line 2, column \"a\": the cell \"1,5\" has a comma; if it is the decimal mark, use "
            "`decimal=comma`; if it separates thousands, remove it.");
  const ReadOptions comma{.delimiter = {}, .decimal_comma = true};
  EXPECT_EQ(parse_table("t", text, {}, comma).numbers("a")[0], 1.5);
  EXPECT_EQ(parse_table("t", "a,b\n\"1,5e2\",2\n", {}, comma).numbers("a")[0], 150);
  EXPECT_EQ(fault_in("a;b\n1.234;2\n", {}, comma),
            "FILE, line 2, column \"a\": the cell \"1.234\" has a point, but the decimal mark is a comma; "
            "remove points that separate thousands or use `decimal=point`.");
  EXPECT_EQ(fault_in("a;b\n1.234,5;2\n", {}, comma),
            "FILE, line 2, column \"a\": the cell \"1.234,5\" has thousands separators; remove them.");
  EXPECT_NE(fault_in("a;b\n1,2,3;2\n", {}, comma).find("is not a number"), std::string::npos);
}

}  // namespace
}  // namespace tacit
