// Parties whose rows go to a scratch file against the same in memory: all that differs is where rows are.
#include "tacit/lab/study/parties/streamed_rows.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <sqlite3.h>

#include "tacit/base/error.hpp"
#include "tacit/gp/committee/row_split.hpp"
#include "tacit/lab/study/parties/parties.hpp"
#include "tacit/table/rows/scratch_testing.hpp"

namespace tacit {
namespace {

using testing::error_of;
using testing::gzipped;
using testing::Scratch;

// Columns a, kind, b, when, y, z of 500 rows, and a column with the owner of each row; some cells are
// missing.
std::string text(bool swapped = false, std::size_t rows = 500, std::size_t from = 0) {
  std::string out = swapped ? "y,kind,when,z,b,site,a\n" : "a,kind,b,when,y,z,site\n";
  for (std::size_t r = from; r < from + rows; ++r) {
    const std::string a = fmt::format("{}", 0.1 * static_cast<double>(r)),
                      kind = r % 7 == 0   ? "red"
                             : r % 3 == 0 ? "green"
                                          : "blue",
                      b = r % 41 == 5 ? "" : fmt::format("{}", static_cast<double>(r % 13) / 3),
                      when = fmt::format("2024-{:02}-{:02}", 3 + r % 5, 1 + r % 28),
                      y = fmt::format("{}", static_cast<double>(r * r % 101) / 7),
                      z = fmt::format("{}", r % 5), site = fmt::format("site {}", r % 4);
    out += swapped ? fmt::format("{},{},{},{},{},{},{}\n", y, kind, when, z, b, site, a)
                   : fmt::format("{},{},{},{},{},{},{}\n", a, kind, b, when, y, z, site);
  }
  return out;
}

PartyOptions options_for(std::vector<std::filesystem::path> files) {
  PartyOptions options;
  options.data = std::move(files);
  options.targets = {"y", "z"};
  options.inputs = {"b", "kind", "a", "when"};
  options.reading.missing = Missing::drop;
  options.reading.categorical = {{"kind", {}}};
  options.reading.dates = {{"when"}};
  return options;
}

void expect_same(PartyOptions options, const std::string& what) {
  SCOPED_TRACE(what);
  options.stream = false;
  const Parties here = gather_parties(options);
  options.stream = true;
  const Parties there = gather_parties(options);
  ASSERT_EQ(there.count(), here.count());
  EXPECT_TRUE(there.agents.empty());
  EXPECT_EQ(there.names, here.names);
  EXPECT_EQ(there.columns.inputs, here.columns.inputs);
  EXPECT_EQ(there.test.lines, here.test.lines);
  EXPECT_EQ(there.test.inputs, here.test.inputs);
  EXPECT_EQ(there.test.outputs, here.test.outputs);
  EXPECT_EQ(there.target_range.low, here.target_range.low);
  EXPECT_EQ(there.target_range.high, here.target_range.high);
  EXPECT_EQ(there.rows(), here.rows());
  EXPECT_EQ(there.most_rows(), here.most_rows());
  ASSERT_EQ(there.columns.dates.size(), here.columns.dates.size());
  for (std::size_t d = 0; d < here.columns.dates.size(); ++d)
    EXPECT_EQ(there.columns.dates[d].start, here.columns.dates[d].start);
  ASSERT_EQ(there.files.size(), here.files.size());
  for (std::size_t f = 0; f < here.files.size(); ++f) {
    EXPECT_EQ(there.files[f].rows, here.files[f].rows);
    EXPECT_EQ(there.files[f].dropped, here.files[f].dropped);
  }
  for (std::size_t i = 0; i < here.count(); ++i) {
    const Samples rows = samples_of(*there.rows_of(i));
    EXPECT_EQ(rows.inputs, here.agents[i].inputs);
    EXPECT_EQ(rows.outputs, here.agents[i].outputs);
    Matrix inputs, outputs;  // in any order
    const std::vector<Index> some = {3, 4, 5, 0, 9, 9, 8};
    there.rows_of(i)->read(some, inputs, outputs);
    EXPECT_EQ(inputs, here.agents[i].inputs(some, Eigen::all));
    EXPECT_EQ(outputs, here.agents[i].outputs(some, Eigen::all));
    EXPECT_FALSE(there.rows_of(i)->in_memory());
  }
}

TEST(StreamedRows, AreThoseInMemoryToTheBit) {
  const Scratch plain(text()), packed(gzipped(text()), "csv.gz"), test(text(true, 30, 700));
  expect_same(options_for({plain.path()}), "CSV");
  expect_same(options_for({packed.path()}), "gzip");
  PartyOptions options = options_for({plain.path()});
  options.test = test.path();
  expect_same(options, "a test file");
  options = options_for({plain.path()});
  options.split = SplitMode::shuffled;
  options.agents = 7;
  expect_same(options, "shuffled");
  options.inputs = {"a", "b"};
  options.reading.categorical.clear();
  options.reading.dates.clear();
  expect_same(options, "numbers only");
}

TEST(StreamedRows, ComeFromSeveralFilesWithColumnsInAnyOrder) {
  const Scratch one(text()), two(text(true, 300, 40)), three(gzipped(text(true, 77, 11)), "csv.gz");
  expect_same(options_for({one.path(), two.path(), three.path()}), "three files");
  PartyOptions options = options_for({two.path(), one.path()});
  options.inputs.clear();  // all columns of the first
  options.reading.categorical.push_back({"site", {}});
  expect_same(options, "all columns");
}

TEST(StreamedRows, AreSplitByAColumn) {
  const Scratch plain(text());
  PartyOptions options = options_for({plain.path()});
  options.split = SplitMode::by_column;
  options.split_column = "site";
  expect_same(options, "by site");
  options.inputs.emplace_back("site");
  options.reading.categorical.push_back({"site", {}});
  expect_same(options, "by a category that is an input too");
  options = options_for({plain.path()});
  options.targets = {"y"};
  options.inputs = {"a", "z", "kind", "when"};
  options.split = SplitMode::by_column;
  options.split_column = "z";
  expect_same(options, "by a number that is an input too");
}

TEST(StreamedRows, ComeFromADatabase) {
  const testing::ScratchFolder folder;
  const std::string file = (folder.path / "rows.db").string();
  sqlite3* database = nullptr;
  ASSERT_EQ(sqlite3_open(file.c_str(), &database), SQLITE_OK);
  std::string statements = "CREATE TABLE t (x, kind, y); BEGIN;";
  for (int r = 0; r < 200; ++r)
    statements += fmt::format("INSERT INTO t VALUES ({}, 'k{}', {});",
                              r % 9 == 4 ? "NULL" : std::to_string(r), r % 3, r * 0.5);
  ASSERT_EQ(sqlite3_exec(database, (statements + "COMMIT").c_str(), nullptr, nullptr, nullptr), SQLITE_OK);
  sqlite3_close(database);
  PartyOptions options;
  options.data = {file};
  options.targets = {"y"};
  options.reading.missing = Missing::drop;
  options.reading.categorical = {{"kind", {}}};
  options.reading.sql = "SELECT * FROM t ORDER BY y DESC";
  expect_same(options, "SQLite");
}

TEST(StreamedRows, AreRefusedInTheSameWords) {
  const Scratch plain(text());
  const auto same = [&](PartyOptions options, const std::string& words) {
    options.data = {plain.path()};
    const std::string here = error_of([&] { gather_parties(options); });
    options.stream = true;
    EXPECT_EQ(error_of([&] { gather_parties(options); }), here);
    EXPECT_NE(here.find(words), here.npos) << here;
  };
  PartyOptions options = options_for({});
  options.reading.missing = Missing::refuse;
  same(options, "column \"b\": 13 cells are missing values (blank in line 7");
  options = options_for({});
  options.inputs = {"a", "site"};
  options.reading.categorical.clear();
  options.reading.dates.clear();
  same(options, "column \"site\": 500 cells contain more than a number (\"site 0\" in line 2");
  options = options_for({});
  options.y_max = 14;
  same(options, "above the public bound `y_max=14`");
  options = options_for({});
  options.reading.categorical = {{"kind", {"red", "green"}}};
  same(options, "in line 3");
}

TEST(StreamedRows, RefuseWhatLooksAtAllOfThem) {
  const Scratch plain(text());
  PartyOptions options = options_for({plain.path()});
  options.split = SplitMode::regions;
  options.stream = true;
  EXPECT_NE(error_of([&] { gather_parties(options); }).find("`split=regions`"), std::string::npos);
  EXPECT_THROW(gather_parties(options), InputError);
  options.split = SplitMode::contiguous;
  const Parties parties = gather_parties(options);
  EXPECT_THROW(split_rows(*parties.rows_of(0), {.split = RowSplit::clusters}), InputError);
}

}  // namespace
}  // namespace tacit
