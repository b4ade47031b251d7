#include "tacit/table/cells/bad_cells.hpp"

#include <gtest/gtest.h>

namespace tacit {
namespace {

const CellFault no_number{"is not a number", "are not numbers", "write numbers"};
const CellFault outside{"is outside 0 to 120", "are outside 0 to 120"};

TEST(BadCells, OneIsSaidWithItsPlace) {
  BadCells cells("a.csv");
  EXPECT_NO_THROW(cells.refuse_any());
  cells.add("age", 7, "250", outside);
  EXPECT_EQ(cells.text(), "a.csv, line 7, column \"age\": the cell \"250\" is outside 0 to 120.");
  EXPECT_EQ(cells.text(false), "a.csv, line 7, column \"age\": the cell is outside 0 to 120.");
}

TEST(BadCells, ManyOfAColumnAreOneSentenceWithTheFirstThreePlaces) {
  BadCells cells("a.mat", "row");
  cells.add("bmi", 3, "abc", no_number);
  cells.add("bmi", 4, " ", no_number);
  EXPECT_EQ(
      cells.text(),
      "a.mat, column \"bmi\": 2 cells are not numbers (\"abc\" in row 3, blank in row 4); write numbers.");
  for (std::size_t line = 5; line < 100'000; ++line) cells.add("bmi", line, "x", no_number);
  EXPECT_EQ(cells.text(),
            "a.mat, column \"bmi\": 99997 cells are not numbers (\"abc\" in row 3, blank in row 4, \"x\" in "
            "row 5, ...); write numbers.");
  EXPECT_EQ(cells.text(false),
            "a.mat, column \"bmi\": 99997 cells are not numbers (row 3, row 4, row 5, ...); write numbers.");
}

TEST(BadCells, EveryColumnAndFaultHasALine) {
  BadCells cells("a.csv");
  cells.add("bmi", 3, "abc", no_number);
  cells.add("age", 3, "250", outside);
  cells.add("age", 4, "?", no_number);
  cells.add("age", 9, "-3", outside);
  EXPECT_EQ(cells.text(),
            "a.csv: 4 cells in 2 columns cannot be used:\n"
            "  line 3, column \"bmi\": the cell \"abc\" is not a number; write numbers.\n"
            "  column \"age\": 2 cells are outside 0 to 120 (\"250\" in line 3, \"-3\" in line 9).\n"
            "  line 4, column \"age\": the cell \"?\" is not a number; write numbers.");
  EXPECT_EQ(cells.sentences(false)[1],
            "a.csv, column \"age\": 2 cells are outside 0 to 120 (line 3, line 9).");
  try {
    cells.refuse_any();
    FAIL();
  } catch (const BadCellsError& error) {
    EXPECT_EQ(error.what(), cells.text());
    for (const char* value : {"abc", "250", "?", "-3"})
      EXPECT_EQ(error.quietly().find(value), std::string::npos) << error.quietly();
    EXPECT_EQ(error.quietly().find('\n'), std::string::npos) << "a log entry must be one line";
  }
}

TEST(BadCells, TheTextStaysShort) {
  BadCells cells("a.csv");
  for (int column = 0; column < 1000; ++column)
    cells.add("x" + std::to_string(column), 2, std::string(100'000, 'z'), no_number);
  EXPECT_LT(cells.text().size(), 5000u);
  EXPECT_NE(cells.text().find("and 980 more such lines."), std::string::npos);
}

}  // namespace
}  // namespace tacit
