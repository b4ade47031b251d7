#include "tacit/table/csv/csv_parts.hpp"

#include <gtest/gtest.h>

#include "tacit/base/error.hpp"
#include "tacit/table/read_data.hpp"
#include "tacit/table/rows/scratch_testing.hpp"

namespace tacit {
namespace {

using testing::gzipped;
using testing::Scratch;

// The numbers of column x, with their lines, as `shares` processes read them, concatenated.
std::pair<std::vector<double>, std::vector<std::size_t>> in_parts(const std::filesystem::path& file,
                                                                  std::size_t shares,
                                                                  const ReadOptions& how) {
  std::vector<ByteShare> counts;
  for (std::size_t k = 0; k < shares; ++k) counts.push_back(count_share(file, k, shares));
  std::vector<FilePart> parts;
  for (std::size_t k = 0; k < shares; ++k) parts.push_back(start_of(file, k, counts));
  std::pair<std::vector<double>, std::vector<std::size_t>> all;
  for (std::size_t k = 0; k < shares; ++k) {
    parts[k].end = k + 1 < shares ? parts[k + 1].begin : std::filesystem::file_size(file);
    ReadOptions one = how;
    one.part = parts[k];
    const Table table = read_data(file, {.only = {"x"}}, one);
    for (std::size_t row = 0; row < table.rows(); ++row) {
      all.first.push_back(table.numbers("x")[row]);
      all.second.push_back(table.line_of(row));
    }
  }
  return all;
}

void expect_same(const std::string& text, const ReadOptions& how = {}) {
  const Scratch file(text);
  const Table whole = read_data(file.path(), {.only = {"x"}}, how);
  const std::vector<double> numbers(whole.numbers("x").begin(), whole.numbers("x").end());
  std::vector<std::size_t> lines;
  for (std::size_t row = 0; row < whole.rows(); ++row) lines.push_back(whole.line_of(row));
  for (std::size_t shares : {1, 2, 3, 4, 7, 40}) {
    const auto [found, at] = in_parts(file.path(), shares, how);
    EXPECT_EQ(found, numbers) << shares << " parts of " << text;
    EXPECT_EQ(at, lines) << shares << " parts of " << text;
  }
}

TEST(CsvParts, TogetherAreTheFile) {
  expect_same("x,y\n1,2\n3,4\n5,6\n7,8\n");
  expect_same("x,y\r\n1,2\r\n3,4\r\n\r\n5,6\r\n7,8");
  expect_same(
      "\xEF\xBB\xBFsep=;\n"
      "x;y\n1;2\n3;4\n");
  expect_same("x,y\r1,2\r3,4\r5,6\r");  // CR line ends: one part holds everything
  expect_same("x,y\n1,2\n");
}

TEST(CsvParts, LineBreaksInQuotesEndNoRow) {
  expect_same(
      "\"a\nname\",x\n\"one\n\"\"two\"\"\n\n3\",1\n\"\n\n\n\n\n\n\n\n\n\n\n\n\",2\nplain,3\n\"a,b\",4\n");
}

TEST(CsvParts, DroppedRowsAreDroppedInEveryPart) {
  expect_same("x,y\n1,2\n,4\nNA,6\n7,8\n,\n,9\n3,3\n", {.missing = Missing::drop});
}

TEST(CsvParts, AFaultIsNamedByItsLine) {
  const Scratch file("x,y\n1,2\n\"3\",4\n5,6\nseven,8\n9,1\n");
  for (std::size_t shares : {1, 2, 3, 5}) try {
      in_parts(file.path(), shares, {});
      FAIL() << "nothing was refused";
    } catch (const InputError& e) {
      EXPECT_NE(std::string(e.what()).find("line 5"), std::string::npos) << e.what();
    }
}

TEST(CsvParts, OnlyPlainFilesCanBeCut) {
  const Scratch plain("x\n1\n"), packed(gzipped("x\n1\n"));
  EXPECT_TRUE(can_be_cut(plain.path()));
  EXPECT_FALSE(can_be_cut(packed.path()));
  EXPECT_FALSE(can_be_cut("-"));
  EXPECT_FALSE(can_be_cut("postgresql://host/db"));
}

}  // namespace
}  // namespace tacit
