#include "tacit/table/table.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>
#include <numeric>
#include <string>
#include <vector>

#include "tacit/base/error.hpp"
#include "tacit/table/rows/scratch_testing.hpp"

namespace tacit {
namespace {

using testing::copy;
using testing::Doubles;
using testing::error_of;
using testing::fault_in;
using testing::in_quotes;
using testing::Scratch;
using testing::Strings;

// Data

TEST(Table, ReadsTheDiabetesFile) {
  const Table table = read_data(std::filesystem::path(TACIT_SOURCE_DIR) / "data" / "diabetes.csv");
  EXPECT_EQ(table.rows(), 442u);
  EXPECT_EQ(copy(table.columns()),
            (Strings{"age", "sex", "bmi", "bp", "s1", "s2", "s3", "s4", "s5", "s6", "y"}));
  EXPECT_EQ(table.numbers("age")[0], 59);
  EXPECT_EQ(table.numbers("bmi")[0], 32.1);
  EXPECT_EQ(table.numbers("s5")[441], 4.5951);
  EXPECT_EQ(table.numbers("y")[441], 57);
  const auto y = table.numbers("y");
  EXPECT_EQ(std::accumulate(y.begin(), y.end(), 0.0), 67243);
  EXPECT_EQ(table.line_of(0), 2u);
  EXPECT_EQ(table.line_of(441), 443u);
  EXPECT_EQ(table.name(), TACIT_SOURCE_DIR "/data/diabetes.csv");
}

TEST(Table, ReadsNumbersInEveryDecimalForm) {
  const Scratch file(
      "x\n1\n+2\n-3\n 4 \n\t5\t\n1e3\n.5\n6.\n1.5E-3\n\" 7 \"\n-0\n5e-324\n1.7976931348623157e308\n");
  const Table table = read_data(file.path());
  EXPECT_EQ(copy(table.numbers("x")), (Doubles{1, 2, -3, 4, 5, 1000, 0.5, 6, 0.0015, 7, 0, 5e-324,
                                               std::numeric_limits<double>::max()}));
  EXPECT_TRUE(std::signbit(table.numbers("x")[10]));
}

TEST(Table, ReadsQuotedCells) {
  const Scratch file("\"a, b\",\"say \"\"c\"\"\" , d\n\"1\", \"x, \"\"y\"\"\nz\" ,2\n");
  const Table table = read_data(file.path(), {.text_columns = {"say \"c\""}, .only = {}});
  EXPECT_EQ(copy(table.columns()), (Strings{"a, b", "say \"c\"", "d"}));
  EXPECT_EQ(copy(table.numbers("a, b")), Doubles{1});
  EXPECT_EQ(copy(table.texts("say \"c\"")), Strings{"x, \"y\"\nz"});
  EXPECT_EQ(copy(table.numbers("d")), Doubles{2});
}

TEST(Table, ReadsEveryLineEndingAndSkipsBlankLinesAndTheByteOrderMark) {
  for (const std::string end : {"\n", "\r\n", "\r"}) {
    for (const std::string& last : {std::string(), end, end + end}) {
      const std::string text =
          fmt::format("\xEF\xBB\xBF{0}\"a\",b{0}1,2{0}{0}  \t{0}3,4{0}\"5\",6{1}", end, last);
      const Scratch file(text);
      const Table table = read_data(file.path());
      EXPECT_EQ(copy(table.numbers("a")), (Doubles{1, 3, 5})) << ::testing::PrintToString(text);
      EXPECT_EQ(copy(table.numbers("b")), (Doubles{2, 4, 6})) << ::testing::PrintToString(text);
      EXPECT_EQ(table.line_of(0), 3u) << ::testing::PrintToString(text);
      EXPECT_EQ(table.line_of(1), 6u) << ::testing::PrintToString(text);
      EXPECT_EQ(table.line_of(2), 7u) << ::testing::PrintToString(text);
      EXPECT_THROW(table.line_of(3), std::out_of_range);
    }
  }
}

TEST(Table, CountsTheLinesInsideQuotedCells) {
  const Scratch file("id,x\n\"a\nb\",1\n\"c\r\nd\r\",2\ne,3\n");
  const Table table = read_data(file.path(), {.text_columns = {"id"}, .only = {}});
  EXPECT_EQ(table.line_of(0), 2u);
  EXPECT_EQ(table.line_of(1), 4u);
  EXPECT_EQ(table.line_of(2), 7u);
}

TEST(Table, ReadsOnlyWhatIsAskedFor) {
  const Scratch file("id,site,x,note,y\n7,north,1,,2\n8,south,3,none,4\n");
  const Table table = read_data(file.path(), {.text_columns = {"site", "id"}, .only = {"y", "x", "id"}});
  EXPECT_EQ(copy(table.columns()), (Strings{"id", "site", "x", "note", "y"}));
  EXPECT_EQ(copy(table.texts("site")), (Strings{"north", "south"}));
  EXPECT_EQ(copy(table.numbers("x")), (Doubles{1, 3}));
  EXPECT_EQ(copy(table.numbers("y")), (Doubles{2, 4}));
  EXPECT_EQ(copy(table.texts("id")), (Strings{"7", "8"}));
  EXPECT_EQ(copy(table.numbers("id")), (Doubles{7, 8}));
  EXPECT_TRUE(table.has("note"));
  EXPECT_FALSE(table.has("Note"));
  EXPECT_EQ(
      error_of([&] { table.numbers("note"); }),
      file.path().string() + ": column \"note\" was not read as numbers; request it when reading the table.");
  EXPECT_EQ(error_of([&] { table.texts("x"); }),
            file.path().string() + ": column \"x\" was not read as text; request it when reading the table.");
}

TEST(Table, ReadsFilesLongerThanItsBuffer) {
  std::string text = "x,y\r\n";
  for (int i = 0; i < 150'000; ++i) text += fmt::format("{},\"{}\"\r\n", i, -i);
  const Scratch file(text);
  const Table table = read_data(file.path());
  ASSERT_EQ(table.rows(), 150'000u);
  for (std::size_t i = 0; i < table.rows(); ++i) {
    ASSERT_EQ(table.numbers("x")[i], static_cast<double>(i));
    ASSERT_EQ(table.numbers("y")[i], -static_cast<double>(i));
    ASSERT_EQ(table.line_of(i), i + 2);
  }
}

// Faults of files

TEST(TableFaults, MissingFile) {
  EXPECT_EQ(error_of([] { read_data("no/such.csv"); }),
            "no/such.csv: there is no such file; check the path.");
}

TEST(TableFaults, Directory) {
  EXPECT_EQ(error_of([] { read_data(TACIT_SOURCE_DIR "/data"); }),
            TACIT_SOURCE_DIR "/data: this is a directory; name a data file in it.");
}

TEST(TableFaults, FileThatMayNotBeRead) {
  const Scratch file("x\n1\n");
  std::filesystem::permissions(file.path(), std::filesystem::perms::none);
  if (access(file.path().c_str(), R_OK) == 0) GTEST_SKIP() << "this user may read every file";
  EXPECT_EQ(error_of([&] { read_data(file.path()); }), file.path().string() +
                                                           ": the file cannot be read (Permission denied); "
                                                           "check that it is a regular file and that you may "
                                                           "read it.");
}

TEST(TableFaults, FileThatFailsWhileItIsRead) {
  const char* const path = "/proc/self/mem";  // opens, but nothing is mapped at its start
  if (access(path, R_OK) != 0) GTEST_SKIP() << "there is no " << path;
  EXPECT_EQ(error_of([&] { read_data(path); }),
            "/proc/self/mem: the file cannot be read (Input/output error); "
            "check that it is a regular file and that you may read it.");
}

TEST(TableFaults, EmptyFile) {
  for (const std::string_view content : {"", "\n \r\n", "\xEF\xBB\xBF"}) {
    EXPECT_EQ(fault_in(content),
              "FILE: the file is empty; it needs a line of column names and at least one row below it.");
  }
}

TEST(TableFaults, NoRows) {
  for (const std::string_view content : {"a,b", "a,b\r\n", "a,b\n\n  \n"}) {
    EXPECT_EQ(fault_in(content), "FILE: there are no rows below the column names; add some.");
  }
}

TEST(TableFaults, BinaryFile) {
  using namespace std::string_view_literals;
  const std::string_view cure =
      "there is a NUL byte, so this is not plain text; save the table as CSV in UTF-8.";
  EXPECT_EQ(fault_in("PK\x03\x04\x14\0\x06\0"sv),
            "FILE: this is a workbook or an archive, not a text file; save the sheet as \"CSV UTF-8\".");
  EXPECT_EQ(fault_in("a,b\r\n1,2\r\n3,4\0\r\n"sv), fmt::format("FILE, line 3: {}", cure));
  EXPECT_EQ(fault_in("\xFF\xFE"
                     "a\0,\0b\0\n\0"sv),
            "FILE: this is UTF-16 text, such as Excel's \"Unicode text\"; save the table as \"CSV UTF-8\".");
}

// Faults of headers

TEST(TableFaults, DoubledColumnName) {
  EXPECT_EQ(fault_in("a,b, a \n1,2,3\n"),
            "FILE, line 1: there are two columns called \"a\"; rename one of them.");
}

TEST(TableFaults, EmptyColumnName) {
  EXPECT_EQ(fault_in("\na,,b\n1,2,3\n"), "FILE, line 2: column 2 of 3 has no name; give it one.");
  EXPECT_EQ(fault_in(",a,\" \",b,\n1,2,3,4,\n"), "FILE, line 1: column 3 of 5 has no name; give it one.");
  EXPECT_EQ(fault_in(",,\n1,2,\n"), "FILE, line 1: column 1 of 3 has no name; give it one.");
}

TEST(TableFaults, ColumnNameInAnotherEncoding) {
  EXPECT_EQ(fault_in("a,gr\xF6\xDF"
                     "e\n1,2\n"),
            "FILE, line 1: the column name \"gr\\xf6\\xdfe\" is not UTF-8 text; save the file as UTF-8.");
}

TEST(TableFaults, UnknownColumn) {
  const std::string_view content = "age,bmi,Site\n1,2,x\n";
  EXPECT_EQ(fault_in(content, {.text_columns = {}, .only = {"age", "weight"}}),
            "FILE: there is no column \"weight\"; the columns are \"age\", \"bmi\", \"Site\".");
  EXPECT_EQ(fault_in(content, {.text_columns = {}, .only = {"bim"}}),
            "FILE: there is no column \"bim\"; the columns are \"age\", \"bmi\", \"Site\".");
  EXPECT_EQ(fault_in(content, {.text_columns = {}, .only = {"bmii"}}),
            "FILE: there is no column \"bmii\"; did you mean \"bmi\"? The columns are \"age\", \"bmi\", "
            "\"Site\".");
  EXPECT_EQ(fault_in(content, {.text_columns = {"site"}, .only = {}}),
            "FILE: there is no column \"site\"; did you mean \"Site\"? The columns are \"age\", \"bmi\", "
            "\"Site\".");
  EXPECT_EQ(fault_in(content, {.text_columns = {}, .only = {"ag"}}),
            "FILE: there is no column \"ag\"; did you mean \"age\"? The columns are \"age\", \"bmi\", "
            "\"Site\".");
  EXPECT_EQ(fault_in("pressure,Pressura,z\n1,2,3\n", {.text_columns = {}, .only = {"PRESURA"}}),
            "FILE: there is no column \"PRESURA\"; did you mean \"Pressura\"? The columns are "
            "\"pressure\", \"Pressura\", \"z\".");
  EXPECT_EQ(fault_in("a,b\n1,2\n", {.text_columns = {}, .only = {"c"}}),
            "FILE: there is no column \"c\"; the columns are \"a\", \"b\".");
  EXPECT_EQ(fault_in("a,b\n1,2\n", {.text_columns = {}, .only = {""}}),
            "FILE: there is no column \"\"; the columns are \"a\", \"b\".");

  // A column that is requested under its own name is not suggested.
  EXPECT_EQ(fault_in("width,y\n1,2\n", {.text_columns = {}, .only = {"widths"}}),
            "FILE: there is no column \"widths\"; did you mean \"width\"? The columns are \"width\", \"y\".");
  EXPECT_EQ(fault_in("width,y\n1,2\n", {.text_columns = {}, .only = {"widths"}, .required = {"width"}}),
            "FILE: there is no column \"widths\"; the columns are \"width\", \"y\".");
  EXPECT_EQ(fault_in("s1,s3,y\n1,2,3\n", {.text_columns = {}, .only = {"s2"}}),
            "FILE: there is no column \"s2\"; the columns are \"s1\", \"s3\", \"y\".");

  // All absent columns are reported at once. For a part of a date, the date is reported.
  EXPECT_EQ(fault_in("Age,y\n1,2\n", {.text_columns = {"sex"}, .only = {"age", "y"}, .ids = {"id"}}),
            "FILE: there are no columns \"id\", \"sex\" and \"age\" (did you mean \"Age\"?); the columns are "
            "\"Age\", \"y\".");
  EXPECT_EQ(fault_in("y\n1\n", {.only = {"when.month", "when", "x"}}, {.dates = {{"when", "", {"month"}}}}),
            "FILE: there are no columns \"when\" and \"x\"; the only column is \"y\".");

  const Scratch file("a,b\n1,2\n");
  const Table table = read_data(file.path());
  EXPECT_NE(error_of([&] { table.numbers("c"); }).find("there is no column \"c\""), std::string::npos);
  EXPECT_NE(error_of([&] { table.texts("c"); }).find("there is no column \"c\""), std::string::npos);
}

TEST(TableFaults, UnknownColumnInAWideTable) {
  std::string header = "x0", row = "0", list = "\"x0\"";
  for (int i = 1; i < 100; ++i) {
    header += fmt::format(",x{}", i);
    row += ",0";
    if (i < 30) list += fmt::format(", \"x{}\"", i);
  }
  EXPECT_EQ(fault_in(header + "\n" + row, {.text_columns = {}, .only = {"target"}}),
            fmt::format("FILE: there is no column \"target\"; the columns are {} and 70 more.", list));
}

// Faults of rows

TEST(TableFaults, RowOfAnotherLength) {
  EXPECT_EQ(fault_in("a,b,c\n1,2,3\n4\n"),
            "FILE, line 3: the row has 1 cell, but 3 are expected; add the missing cells.");
  EXPECT_EQ(
      fault_in("a,b,c\r\n1,2,3\r\n\r\n4,5,6,7\r\n"),
      "FILE, line 4: the row has 4 cells, but 3 are expected; put cells that contain commas in quotes.");
  const std::string rows_named =
      "; or, if R wrote row names in front, write the file with row.names = FALSE.";
  EXPECT_EQ(fault_in("a\n1,2\n"),
            "FILE, line 2: the row has 2 cells, but 1 is expected; put cells that contain commas in quotes" +
                rows_named);
  EXPECT_EQ(fault_in("a,note\n1,x,y\n", {.text_columns = {}, .only = {"a"}}),
            "FILE, line 2: the row has 3 cells, but 2 are expected; put cells that contain commas in quotes" +
                rows_named);
}

TEST(TableFaults, TextInANumericCell) {
  for (const std::string_view cell :
       {"abc", "1.2.3", "0x1F", "+", "+-1", "--1", "++1", "1 2", "1_000", "1e999x"}) {
    EXPECT_EQ(
        fault_in(fmt::format("a,bmi\n1,2\n3,{}\n", cell)),
        fmt::format("FILE, line 3, column \"bmi\": the cell \"{}\" is not a number; use `categorical=bmi` if "
                    "these are categories, write numbers, or leave the column out.",
                    cell));
  }
}

TEST(TableFaults, LongAndStrangeCellsAreShortenedAndEscaped) {
  const auto shown_as = [](std::string_view cell) {
    const std::string message = fault_in(fmt::format("x\n\"{}\"\n", cell));
    const std::string_view before = "FILE, line 2, column \"x\": the cell ";
    const std::string_view after =
        " is not a number; use `categorical=x` if these are categories, write numbers, or leave the column "
        "out.";
    EXPECT_TRUE(message.starts_with(before) && message.ends_with(after)) << message;
    return message.substr(before.size(), message.size() - before.size() - after.size());
  };
  const std::string forty(40, 'x');
  EXPECT_EQ(shown_as(forty), '"' + forty + '"');
  EXPECT_EQ(shown_as(forty + 'y'), '"' + forty + "\"...");
  EXPECT_EQ(shown_as("a\n\t\x1b[31m\x7f"), R"("a\n\t\x1b[31m\x7f")");
  EXPECT_EQ(shown_as("\xC2\xB0"), "\"\xC2\xB0\"");
  EXPECT_EQ(shown_as("\xFF"), R"("\xff")");
  std::string wide;
  for (int i = 0; i < 41; ++i) wide += "\xC3\xA9";
  EXPECT_EQ(shown_as(wide), '"' + wide.substr(0, 80) + "\"...");
  EXPECT_LT(shown_as(std::string(1000, '\x80')).size(), 700u);
}

TEST(TableFaults, EmptyCell) {
  const std::string expected =
      "FILE, line 3, column \"b\": the blank cell is a missing value; fill in a value, leave the column out, "
      "or "
      "drop such rows with `missing=drop`.";
  EXPECT_EQ(fault_in("a,b\n1,2\n3,\n"), expected);
  EXPECT_EQ(fault_in("a,b\n1,2\n3,\"\"\n"), expected);
  EXPECT_EQ(fault_in("a,b\n1,2\n3,\" \t\"\n"), expected);
  EXPECT_EQ(fault_in("b,a\n1,2\n,3\n"), expected);
  EXPECT_EQ(fault_in("a,b\n1,x\n3, \n", {.text_columns = {"b"}, .only = {}}), expected);
}

TEST(TableFaults, NotANumberAndInfinity) {
  for (const std::string_view cell : {"-nan", "+nan", "nan(7)"}) {
    EXPECT_EQ(fault_in(fmt::format("x\n{}\n", cell)),
              fmt::format("FILE, line 2, column \"x\": the cell \"{}\" is NaN, a missing value; "
                          "write a number or remove the row.",
                          cell));
  }
  for (const std::string_view cell : {"inf", "-inf", "+INF", "Infinity"}) {
    EXPECT_EQ(fault_in(fmt::format("x\n{}\n", cell)),
              fmt::format("FILE, line 2, column \"x\": the cell \"{}\" is infinite; "
                          "write a finite number or remove the row.",
                          cell));
  }
  for (const std::string_view cell : {"1e999", "-1e999", "+2e308", "1e-999"}) {
    EXPECT_EQ(fault_in(fmt::format("x\n{}\n", cell)),
              fmt::format("FILE, line 2, column \"x\": the cell \"{}\" is too large, or too close to 0, "
                          "for a 64-bit floating-point number; rescale the column.",
                          cell));
  }
}

TEST(TableFaults, MalformedQuotes) {
  const std::string_view cure =
      "a quote is in the wrong place; put the whole cell in quotes and double every quote inside it.";
  EXPECT_EQ(fault_in("a,b\n1,2\n3,4\"5\n"), fmt::format("FILE, line 3, column \"b\": {}", cure));
  EXPECT_EQ(fault_in("a,b\n1,2\n\"3\"4,5\n"), fmt::format("FILE, line 3, column \"a\": {}", cure));
  EXPECT_EQ(fault_in("a,b\n1,\"2\n3,\"4\n"),
            fmt::format("FILE, line 3 (in the row that starts on line 2): {}", cure));
  EXPECT_EQ(fault_in("a,b\"\n1,2\n"), fmt::format("FILE, line 1: {}", cure));
  EXPECT_EQ(fault_in("a,b\n1,2\n3,\"4\n5,6\n"),
            "FILE, line 3, column \"b\": a quoted cell in this row has no closing quote; add the quote.");
  EXPECT_EQ(fault_in("a,\"b\n1,2\n"),
            "FILE, line 1: a quoted cell in this row has no closing quote; add the quote.");
}

// Properties

RC_GTEST_PROP(TableProperties, EveryFiniteNumberComesBackToTheBit, ()) {
  const auto bits =
      *rc::gen::nonEmpty(rc::gen::container<std::vector<std::uint64_t>>(rc::gen::arbitrary<std::uint64_t>()));
  std::string text = "x,again\n";
  Doubles numbers;
  for (const std::uint64_t word : bits) {
    const double number = std::bit_cast<double>(word * 0x9E3779B97F4A7C15u);  // spread over all exponents
    if (!std::isfinite(number)) continue;
    numbers.push_back(number);
    text += fmt::format("{0},\" {0:+.17e} \"\n", number);
  }
  RC_PRE(!numbers.empty());
  const Scratch file(text);
  const Table table = read_data(file.path());
  RC_ASSERT(table.rows() == numbers.size());
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    RC_ASSERT(std::bit_cast<std::uint64_t>(table.numbers("x")[i]) ==
              std::bit_cast<std::uint64_t>(numbers[i]));
    RC_ASSERT(std::bit_cast<std::uint64_t>(table.numbers("again")[i]) ==
              std::bit_cast<std::uint64_t>(numbers[i]));
  }
}

RC_GTEST_PROP(TableProperties, EveryTextComesBackWithItsLine, ()) {
  const auto piece =
      rc::gen::element<std::string>("a", ",", "\"", "\n", "\r", "\r\n", " ", "\xC3\xA9", "b c", "\t");
  const auto pieces =
      *rc::gen::nonEmpty(rc::gen::container<std::vector<Strings>>(rc::gen::container<Strings>(piece)));
  const auto end = *rc::gen::element<std::string>("\n", "\r\n", "\r");
  std::string text = "label,x" + end;
  std::size_t line = 2;
  Strings labels;
  std::vector<std::size_t> lines;
  for (const Strings& parts : pieces) {
    std::string label = "#";
    for (const std::string& part : parts) label += part;
    label += "#";
    labels.push_back(label);
    lines.push_back(line);
    text += in_quotes(label) + ",1" + end;
    ++line;
    for (std::size_t i = 0; i < label.size(); ++i) {
      if (label[i] == '\r' || (label[i] == '\n' && label[i - 1] != '\r')) ++line;
    }
  }
  const Scratch file(text);
  const Table table = read_data(file.path(), {.text_columns = {"label"}, .only = {}});
  RC_ASSERT(copy(table.texts("label")) == labels);
  for (std::size_t i = 0; i < lines.size(); ++i) RC_ASSERT(table.line_of(i) == lines[i]);
}

RC_GTEST_PROP(TableProperties, AnyBytesAreReadOrRefused, ()) {
  const auto piece =
      rc::gen::oneOf(rc::gen::element<std::string>(",", ",", "\n", "\n", "\r", "\"", "1", "2", "x", " ", ";",
                                                   "\xEF\xBB\xBF", "e9", "-"),
                     rc::gen::map(rc::gen::arbitrary<char>(), [](char c) { return std::string(1, c); }));
  std::string text;
  for (const std::string& part : *rc::gen::container<Strings>(piece)) text += part;
  const Scratch file(text);
  try {
    const Table table = read_data(file.path());
    RC_TAG("read");
    RC_ASSERT(table.rows() >= 1u);
    for (const std::string& name : table.columns()) {
      RC_ASSERT(table.numbers(name).size() == table.rows());
      for (const double number : table.numbers(name)) RC_ASSERT(std::isfinite(number));
    }
  } catch (const InputError& error) {
    const std::string message = error.what();
    RC_ASSERT(message.starts_with(file.path().string()));
    RC_ASSERT(message.ends_with("."));
    RC_ASSERT(
        std::none_of(message.begin(), message.end(), [](char c) { return c >= 0 && c < ' ' && c != '\n'; }));
  }
}

}  // namespace
}  // namespace tacit
