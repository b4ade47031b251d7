#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "tacit/base/base_testing.hpp"
#include "tacit/graph/generators.hpp"
#include "tacit/graph/graph_testing.hpp"

namespace tacit {
namespace {

class EdgeList : public ::testing::Test {
 protected:
  std::filesystem::path write(const std::string& text) const { return folder_.write("edges.txt", text); }
  Graph read(const std::string& text, std::size_t agents = 0) const {
    return read_edge_list(write(text), agents);
  }
  std::string refusal(const std::string& text, std::size_t agents = 0) const {
    return error_of([&] { read(text, agents); });
  }

  const testing::ScratchFolder folder_;
};

TEST_F(EdgeList, ReadsEverySpelling) {
  for (const char* text : {
           "0 1\n0 2\n1 2\n0 3\n0 4\n3 4\n",
           "0 1\r\n0 2\r\n1 2\r\n0 3\r\n0 4\r\n3 4",
           "# a bow-tie\n\n0,1\n0, 2\n1 ,2\n  0\t3  \n0 , 4 # last wing\n   # nothing\n4 3",
           "\xEF\xBB\xBF"
           "0 1\n1 0\n0 2\n2 1\n0 3\n0 4\n3 4\n0 1\n",
       }) {
    EXPECT_EQ(read(text), bow_tie()) << text;
    EXPECT_EQ(read(text, 5), bow_tie()) << text;
  }
}

TEST_F(EdgeList, MayHaveMoreAgentsThanItNames) {
  EXPECT_EQ(read("0 1\n", 4).agents(), 4u);
  EXPECT_EQ(read("0 1\n3 1\n").agents(), 4u);
}

TEST_F(EdgeList, IsATopology) {
  const auto file = write("0 1\n1 2\n0 2\n");
  EXPECT_EQ(parse_topology("edges:" + file.string(), 3, 0), complete_graph(3));
  EXPECT_EQ(parse_topology("edges:" + file.string(), 0, 0), complete_graph(3));
}

TEST_F(EdgeList, RefusesGarbageNamingFileAndLine) {
  for (const char* line : {"a b", "0", "0 1 2", "0 1 0.5", "0;1", "-1 0", "0 -1", "+0 1", "0.0 1", "0x1 2",
                           "0,,1", ",0 1", "0 1,", "01a 2", "0 one", "\x01\x02\x03",
                           "0\xc2\xa0"
                           "1",
                           "\"0\" \"1\""}) {
    EXPECT_TRUE(mentions(refusal(std::string("# head\n0 1\n") + line + "\n1 2\n"),
                         {"edges.txt, line 3:", "is not an edge", "\"0 1\""}))
        << line;
  }
}

TEST_F(EdgeList, ShowsGarbageShortAndPrintable) {
  const std::string message = refusal("0 1\n\x1b[31m" + std::string(10000, 'x'));
  EXPECT_LT(message.size(), 300u);
  EXPECT_EQ(message.find('\x1b'), std::string::npos);
}

TEST_F(EdgeList, RefusesSelfLoops) {
  EXPECT_TRUE(mentions(refusal("0 1\n\n2 2\n"), {"edges.txt, line 3:", "itself"}));
}

TEST_F(EdgeList, RefusesAgentsBeyondTheLast) {
  EXPECT_TRUE(mentions(refusal("0 1\n1 5\n", 5), {"edges.txt, line 2:", "1 5", "last is 4"}));
  EXPECT_TRUE(mentions(refusal("0 1\n5 5\n", 5), {"edges.txt, line 2:", "last is 4"}));
  for (const char* id : {"1000000", "4294967296", "18446744073709551616", "99999999999999999999999999"}) {
    EXPECT_TRUE(mentions(refusal(std::string("0 ") + id), {"edges.txt, line 1:", "last is 999999"})) << id;
  }
}

TEST_F(EdgeList, RefusesFilesWithoutEdges) {
  for (const char* text : {"", "\n\n", "# nothing here\n", " \t\r\n"}) {
    EXPECT_TRUE(mentions(refusal(text), {"edges.txt", "has no edges"})) << text;
  }
}

TEST_F(EdgeList, RefusesFilesThatCannotBeRead) {
  EXPECT_TRUE(mentions(error_of([&] { read_edge_list(folder_.path / "absent.txt", 0); }),
                       {"absent.txt", "cannot be read"}));
  EXPECT_TRUE(mentions(error_of([&] { read_edge_list(folder_.path, 0); }),
                       {folder_.path.string(), "is a directory"}));
}

}  // namespace
}  // namespace tacit
