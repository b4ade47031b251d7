// Data that cannot be used unchanged: the error has file, line, column and the correction.
#include <gtest/gtest.h>

#include "refused_testing.hpp"
#include "tacit/table/gzip_testing.hpp"

namespace tacit::testing {
namespace {

class BadData : public ::testing::Test {
 protected:
  Folder folder;
  const std::string rows =
      "1;2;3\n2;1;4\n3;5;1\n4;2;2\n5;1;3\n6;2;1\n7;3;2\n8;1;1\n9;4;3\n10;2;2\n11;3;1\n12;5;4\n";

  void refused(const std::string& text, const std::vector<std::string>& options,
               const std::vector<std::string>& words, long lines = 1) {
    std::vector<std::string> arguments = {
        "simulate", "--data", folder.write("data.csv", text), "--target", "y", "--agents", "5"};
    arguments.insert(arguments.end(), options.begin(), options.end());
    check_refused(run_tacit(arguments), words, lines);
  }
};

TEST_F(BadData, ControlTheSameRowsAreAccepted) {
  const Output output = run_tacit(
      {"simulate", "--data", folder.write("good.csv", "a;b;y\n" + rows), "--target", "y", "--agents", "5"});
  EXPECT_EQ(output.exit_code, 0) << output.err;
}

TEST_F(BadData, HeadersThatDoNotTellTheDelimiter) {
  refused("a, m;b;y\n" + rows, {}, {"data.csv", "line 1", "--delimiter"});
  refused("a;b;y\n" + rows, {"--delimiter", "pipe"}, {"--delimiter pipe", "semicolon"});
  refused("a;b;y\n" + rows, {"--delimiter", "comma"}, {"data.csv", "no column \"y\"", "\"a;b;y\""});
}

TEST_F(BadData, DecimalCommas) {
  refused("a;b;y\n1,5;2;3\n" + rows, {}, {"data.csv", "line 2", "\"a\"", "\"1,5\"", "--decimal comma"});
  refused("a;b;y\n" + rows, {"--decimal", "dot"}, {"--decimal dot", "point or comma"});
}

TEST_F(BadData, AllBadCellsAreSummedUp) {
  refused("a;b;y\n1,5;f;3\n2,5;m;3\n,;f;3\n4,5;f;NA\n" + rows, {},
          {"data.csv: 9 cells in 3 columns cannot be used:\n",
           "column \"a\": 3 cells have a comma (\"1,5\" in line 2, \"2,5\" in line 3, \"4,5\" in line 5); if",
           "--decimal comma", "line 4, column \"a\": the cell \",\" is not a number",
           "column \"b\": 4 cells are not numbers (\"f\" in line 2, \"m\" in line 3, \"f\" in line 4, ...)",
           "--categorical b", "line 5, column \"y\"", "--missing drop"},
          5);
}

TEST_F(BadData, FilesAsSpreadsheetsWriteThem) {
  refused("\xFF\xFE" + std::string("a\0;\0y\0\n\0", 8), {}, {"data.csv", "UTF-16", "CSV UTF-8"});
  refused(std::string("PK\x03\x04\x14\0\6\0", 8), {}, {"data.csv", "workbook", "CSV UTF-8"});
  refused(
      "a;gr\xF6\xDF"
      "e;y\n" +
          rows,
      {}, {"data.csv", "line 1", "UTF-8"});
  refused("a;b;y\n1;gr\xF6n;2\n" + rows, {"--categorical", "b"}, {"data.csv", "line 2", "\"b\"", "UTF-8"});
  refused("a;y;a\n" + rows, {}, {"two columns called \"a\""});
  refused("a;y\n1;2;3\n", {}, {"line 2", "3 cells, but 2", "row.names = FALSE"});
  refused("a;;y\n" + rows, {}, {"line 1", "column 2 of 3 has no name"});
  refused("a;b;y\n1;.;3\n2;-;3\n" + rows, {}, {"\"b\": 2 cells are placeholders", "--missing-value b:."});
}

TEST_F(BadData, Dates) {
  const std::string text = "d;b;y\n2024-03-01;1;2\n2024-03-02;2;3\n";
  refused(text, {}, {"column \"d\": 2 cells are dates", "--date d"});
  refused(text, {"--date", "d:2024-13-01"}, {"--date d", "'2024-13-01'", "2020-01-31", "weekday"});
  refused(text, {"--date", "b"}, {"column \"b\": 2 cells are not dates", "2024-12-31"}, 3);
  refused(text, {"--date", "e"}, {"data.csv", "no column \"e\""});
  refused(text, {"--date", "d", "--inputs", "b"}, {"'d'", "--inputs", "--date"});
  refused(text, {"--date", "d:weekday", "--inputs", "d,b"}, {"'d.weekday'", "--inputs", "--date"});
  refused(text, {"--date", "d", "--categorical", "d"}, {"'d'", "--date", "--categorical"});
  refused("d;b;y\n03/04/2024;1;2\n", {"--date", "d"}, {"line 2", "slashes", "--slash-dates day-first"});
}

TEST_F(BadData, GzipThatIsNotWhole) {
  const std::string packed = gzipped("a;b;y\n" + rows);
  refused(packed.substr(0, packed.size() - 5), {}, {"data.csv", "is truncated"});
  std::string damaged = packed;
  damaged[packed.size() - 6] ^= 1;  // in the checksum
  refused(damaged, {}, {"data.csv", "damaged"});
}

TEST_F(BadData, MissingCells) {
  refused("a;b;y\n1;?;3\n" + rows, {}, {"data.csv", "line 2", "\"b\"", "\"?\"", "--missing drop"});
  refused("a;b;y\n" + rows, {"--missing", "fill"}, {"--missing fill", "error or drop"});
  refused("a;b;y\n;2;1\n;3;NA\n", {"--missing", "drop"}, {"data.csv", "2 rows", "2 in \"a\"", "--inputs"});
  refused("a;b;y\n" + rows, {"--missing-value", "a"}, {"--missing-value a", "a:VALUE"});
  refused("a;b;y\n" + rows, {"--missing-value", "c:0"}, {"data.csv", "\"c\""});
}

TEST_F(BadData, AnAgentWithoutRowsIsNotForgotten) {
  const std::string text = "site,a,y\nn,1,2\nn,2,3\nn,3,1\nn,4,4\nm,1,1\nm,2,2\nm,3,2\ns,,1\ns,NA,2\n";
  check_refused(run_tacit({"simulate", "--data", folder.write("sites.csv", text), "--target", "y", "--split",
                           "by:site", "--missing", "drop"}),
                {"sites.csv", "'s'", "--inputs"});
}

TEST_F(BadData, CategoricalColumns) {
  const std::string text = "a;b;y\n" + rows;
  refused(text, {"--categorical", "y"}, {"'y'", "target", "--categorical"});
  refused("a;b;y\n1;2;f\n" + rows, {},
          {"data.csv", "line 2", "\"f\" is not a number; write numbers or remove"});
  refused(text, {"--categorical", "c"}, {"data.csv", "\"c\""});
  refused(text, {"--categorical", "b", "--inputs", "a"}, {"'b'", "--inputs"});
  refused(text, {"--categorical", "b", "--split", "by:b"}, {"'b'", "--inputs"});
  refused("b=2;b;y\n" + rows, {"--categorical", "b"}, {"'b=2'", "rename"});
  refused(text, {"--categorical", "b,b"}, {"'b'", "twice"});
  refused(text, {"--categorical", "b:1||2"}, {"blank", "b:1||2"});
  refused(text, {"--categorical", "b:1|2|1"}, {"'b'", "\"1\"", "twice"});
  refused(text, {"--categorical", "b:1|2|3|4"}, {"data.csv", "line 4", "\"b\"", "\"5\"", "--categorical"});
  const std::string test = folder.write("test.csv", "b;a\n1;1\n7;2\n");
  refused(text, {"--categorical", "b", "--test", test}, {"test.csv", "line 3", "\"b\"", "\"7\""});
}

TEST_F(BadData, MatlabFiles) {
  refused(std::string("MATLAB 5.0 MAT-file") + std::string(105, ' ') + std::string("\0\1IM", 4) + "rest", {},
          {"data.csv", "ends in the middle"});
}

}  // namespace
}  // namespace tacit::testing
