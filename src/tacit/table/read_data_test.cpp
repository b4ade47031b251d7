#include "tacit/table/read_data.hpp"

#include <gtest/gtest.h>
#include <matio.h>
#include <rapidcheck/gtest.h>

#include <bit>
#include <cmath>
#include <cstdint>
#include <numeric>

#include "tacit/table/csv/csv.hpp"
#include "tacit/table/rows/scratch_testing.hpp"

namespace tacit {
namespace {

using testing::copy;
using testing::Doubles;
using testing::error_of;
using testing::gzipped;
using testing::in_quotes;
using testing::Scratch;
using testing::Strings;

// A way to write a table.
struct Dialect {
  char delimiter = ',';
  std::string line_end = "\n";
  bool quoted = false, byte_order_mark = false, decimal_comma = false, packed = false;

  std::string cell(const std::string& text) const {
    return quoted || text.find_first_of(",;\t\"") != text.npos ? in_quotes(text) : text;
  }
  std::string number(double value) const {
    std::string text = fmt::format("{}", value);
    if (decimal_comma) std::replace(text.begin(), text.end(), '.', ',');
    return cell(text);
  }
};

rc::Gen<Dialect> any_dialect() {
  return rc::gen::build<Dialect>(
      rc::gen::set(&Dialect::delimiter, rc::gen::element(',', ';', '\t')),
      rc::gen::set(&Dialect::line_end, rc::gen::element<std::string>("\n", "\r\n", "\r")),
      rc::gen::set(&Dialect::quoted), rc::gen::set(&Dialect::byte_order_mark),
      rc::gen::set(&Dialect::decimal_comma), rc::gen::set(&Dialect::packed));
}

RC_GTEST_PROP(ReadData, ATableComesBackToTheBitFromEveryDialect, ()) {
  const auto dialect = *any_dialect();
  const auto columns = *rc::gen::inRange<std::size_t>(2, 6);
  const auto rows = *rc::gen::inRange<std::size_t>(1, 40);
  const auto labels = *rc::gen::container<Strings>(
      rows, rc::gen::element<std::string>("u", "v;w", "x, y", "a\tb", "say \"z\"", "7"));
  std::vector<Doubles> values(columns, Doubles(rows));
  for (Doubles& column : values)
    for (double& value : column) {
      value = std::bit_cast<double>(*rc::gen::arbitrary<std::uint64_t>() * 0x9E3779B97F4A7C15u);
      if (!std::isfinite(value)) value = -0.0;
    }

  std::string text = dialect.byte_order_mark ? "\xEF\xBB\xBF" : "";
  Strings names;
  text += dialect.cell("la,b;e\tl");
  for (std::size_t c = 0; c < columns; ++c) {
    names.push_back(fmt::format("x{}", c));
    text += dialect.delimiter + dialect.cell(names[c]);
  }
  text += dialect.line_end;
  for (std::size_t r = 0; r < rows; ++r) {
    text += dialect.cell(labels[r]);
    for (std::size_t c = 0; c < columns; ++c) text += dialect.delimiter + dialect.number(values[c][r]);
    text += dialect.line_end;
  }
  const Scratch file(dialect.packed ? gzipped(text) : text);
  ReadOptions how;
  how.decimal_comma = dialect.decimal_comma;
  const Table table = read_data(file.path(), {.text_columns = {"la,b;e\tl"}, .only = {}}, how);
  RC_ASSERT(copy(table.texts("la,b;e\tl")) == labels);
  for (std::size_t c = 0; c < columns; ++c)
    for (std::size_t r = 0; r < rows; ++r)
      RC_ASSERT(std::bit_cast<std::uint64_t>(table.numbers(names[c])[r]) ==
                std::bit_cast<std::uint64_t>(values[c][r]));
}

TEST(ReadData, ColumnsLeaveATableOnce) {
  Table table = parse_table("t", "a,b\n1,2\n3,4\n");
  EXPECT_EQ(table.take_numbers("b"), (Doubles{2, 4}));
  EXPECT_THROW(table.take_numbers("b"), InputError);
  EXPECT_EQ(copy(table.numbers("a")), (Doubles{1, 3}));
  EXPECT_EQ(table.where(1, "a"), "t, line 3, column \"a\"");
}

TEST(ReadData, OptionalColumnsAreReadIfTheyAreThere) {
  const TableOptions wanted{.text_columns = {}, .only = {"a"}, .optional = {"y", "z"}};
  const Table table = parse_table("t", "a,y,b\n1,2,x\n", wanted);
  EXPECT_EQ(table.numbers("y")[0], 2);
  EXPECT_FALSE(table.has("z"));
}

class MatTable : public ::testing::Test {
 protected:
  template <class Number>
  struct Variable {
    std::string name;
    std::size_t rows;
    std::vector<Number> numbers;  // column by column, as in MATLAB
  };

  void SetUp() override { file = Mat_CreateVer(scratch.path().c_str(), nullptr, MAT_FT_MAT5); }
  template <class Number>
  void add(Variable<Number> v, matio_classes as, matio_types type) {
    std::size_t dims[2] = {v.rows, v.numbers.size() / v.rows};
    matvar_t* m = Mat_VarCreate(v.name.c_str(), as, type, 2, dims, v.numbers.data(), 0);
    Mat_VarWrite(file, m, MAT_COMPRESSION_ZLIB);
    Mat_VarFree(m);
  }
  void add(const std::string& name, std::size_t rows, Doubles numbers) {
    add<double>({name, rows, std::move(numbers)}, MAT_C_DOUBLE, MAT_T_DOUBLE);
  }
  Table read(const TableOptions& columns = {}, const ReadOptions& how = {}) {
    if (file) Mat_Close(std::exchange(file, nullptr));
    return read_data(scratch.path(), columns, how);
  }
  std::string refusal(const TableOptions& columns = {}, const ReadOptions& how = {}) {
    return error_of([&] { read(columns, how); });
  }
  void TearDown() override {
    if (file) Mat_Close(file);
  }

  Scratch scratch{"", "data"};  // the content decides the format, not the name
  mat_t* file = nullptr;
};

TEST_F(MatTable, MatricesStandSideBySide) {
  add("X", 3, {1, 2, 3, 4, 5, 6});
  add("y", 3, {7, 8, 9.5});
  const std::int32_t ward[] = {1, 2, 1};
  add<std::int32_t>({"ward", 3, {ward, ward + 3}}, MAT_C_INT32, MAT_T_INT32);
  ReadOptions how;
  how.categorical = {{"ward", {}}};
  const Table table = read({}, how);
  EXPECT_EQ(copy(table.columns()), (Strings{"X1", "X2", "y", "ward"}));
  EXPECT_EQ(copy(table.numbers("X2")), (Doubles{4, 5, 6}));
  EXPECT_EQ(copy(table.numbers("y")), (Doubles{7, 8, 9.5}));
  EXPECT_EQ(copy(table.texts("ward")), (Strings{"1", "2", "1"}));
  EXPECT_EQ(table.where(2, "y"), scratch.path().string() + ", row 3, column \"y\"");
}

TEST_F(MatTable, MatricesOfOtherHeightsMustBeChosenFrom) {
  add("X", 2, {1, 2, 3, 4});
  add("Xtest", 1, {5, 6});
  EXPECT_NE(refusal().find("(X: 2 × 2, Xtest: 1 × 2)"), std::string::npos) << refusal();
  ReadOptions how;
  how.variables = {"Xtest"};
  EXPECT_EQ(read({}, how).numbers("Xtest2")[0], 6);
  how.variables = {"Z"};
  EXPECT_NE(refusal({}, how).find("'Z'"), std::string::npos);
}

TEST_F(MatTable, NotANumberIsMissing) {
  add("X", 3, {1, std::nan(""), 3, 4, 5, 6});
  EXPECT_NE(refusal().find("row 2, column \"X1\": the cell \"nan\" is a missing value"), std::string::npos)
      << refusal();
  EXPECT_EQ(read({.text_columns = {}, .only = {"X2"}}).rows(), 3u);
  ReadOptions how;
  how.missing = Missing::drop;
  const Table table = read({}, how);
  EXPECT_EQ(copy(table.numbers("X2")), (Doubles{4, 6}));
  EXPECT_EQ(table.dropped(), 1u);
}

TEST_F(MatTable, InfinityIsRefused) {
  add("X", 1, {1, HUGE_VAL});
  EXPECT_NE(refusal().find("row 1, column \"X2\": the cell \"inf\" is infinite"), std::string::npos)
      << refusal();
}

}  // namespace
}  // namespace tacit
