#include "tacit/graph/generators.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <cmath>
#include <future>
#include <limits>

#include "tacit/graph/graph_testing.hpp"

namespace tacit {
namespace {

TEST(RingLattice, JoinsTheNearestOnBothSides) {
  const Graph graph = ring_lattice(10, 4);
  EXPECT_EQ(ids(graph.neighbours(0)), (Ids{1, 2, 8, 9}));
  EXPECT_EQ(ids(graph.neighbours(5)), (Ids{3, 4, 6, 7}));
  EXPECT_EQ(graph.edges(), 20u);
}

RC_GTEST_PROP(RingLattice, IsRegularAndConnected, ()) {
  const auto agents = *rc::gen::inRange<std::size_t>(3, 60);
  const auto degree = 2 * *rc::gen::inRange<std::size_t>(1, (agents - 1) / 2 + 1);
  const Graph graph = ring_lattice(agents, degree);
  for (AgentId i = 0; i < agents; ++i) {
    for (AgentId j = 0; j < agents; ++j) {
      const std::size_t far = i < j ? j - i : i - j;
      RC_ASSERT(graph.adjacent(i, j) == (i != j && std::min(far, agents - far) <= degree / 2));
    }
  }
  RC_ASSERT(connected(graph));
}

TEST(RingLattice, OfFullDegreeIsTheCompleteGraph) {
  for (std::size_t agents = 1; agents < 8; ++agents) {
    EXPECT_EQ(ring_lattice(agents, agents - 1), complete_graph(agents)) << agents;
    EXPECT_TRUE(complete_graph(agents).complete()) << agents;
    EXPECT_EQ(complete_graph(agents).edges(), agents * (agents - 1) / 2) << agents;
  }
}

TEST(UsualTopology, FitsAnyNumberOfAgents) {
  for (std::size_t agents = 2; agents < 30; ++agents) {
    const Graph graph = usual_topology(agents).graph(agents, 1);
    EXPECT_EQ(graph.agents(), agents);
    EXPECT_TRUE(connected(graph)) << agents;
  }
}

TEST(RingLattice, NamesTheDegreesThatWork) {
  for (std::size_t degree : {0, 1, 3, 5, 7, 10, 11, 12}) {
    EXPECT_TRUE(mentions(error_of([&] { ring_lattice(10, degree); }),
                         {"even degree from 2 to 8", "9 for the complete graph"}))
        << degree;
  }
  EXPECT_TRUE(mentions(error_of([] { ring_lattice(2, 2); }), {"complete"}));
  EXPECT_TRUE(mentions(error_of([] { ring_lattice(0, 2); }), {"at least 3 agents"}));
  EXPECT_TRUE(
      mentions(error_of([] { ring_lattice(0, std::numeric_limits<std::size_t>::max()); }), {"at least 3"}));
}

TEST(RandomRegular, HasTheDegreeWhetherSparseOrDense) {
  for (const auto& [agents, degree] : std::vector<std::pair<std::size_t, std::size_t>>{
           {2, 1}, {5, 2}, {5, 4}, {20, 4}, {20, 10}, {20, 15}, {21, 18}, {100, 98}, {100, 99}, {1000, 3}}) {
    for (std::uint64_t seed : {0, 1, 2}) {
      const Graph graph = random_regular(agents, degree, seed);
      ASSERT_EQ(graph.agents(), agents);
      for (AgentId i = 0; i < agents; ++i) ASSERT_EQ(graph.degree(i), degree) << agents << ' ' << degree;
    }
  }
}

TEST(RandomRegular, NamesTheDegreesThatWork) {
  EXPECT_TRUE(mentions(error_of([] { random_regular(5, 3, 1); }), {"5 agents", "even degree"}));
  EXPECT_TRUE(mentions(error_of([] { random_regular(6, 6, 1); }), {"below the number of agents"}));
  EXPECT_TRUE(mentions(error_of([] { random_regular(6, 0, 1); }), {"at least 1"}));
  EXPECT_TRUE(mentions(error_of([] { random_regular(0, 0, 1); }), {"at least 1"}));
}

// Findings 1d: none of the random 4-regular graphs of 20 agents is suitable for masks.
TEST(RandomRegular, OfDegreeFourBreaksTheTriangleAssumption) {
  std::size_t bare = 0, all = 0;
  for (std::uint64_t seed = 0; seed < 2000; ++seed) {
    const Graph graph = random_regular(20, 4, seed);
    EXPECT_TRUE(edge_without_triangle(graph)) << seed;
    for (std::size_t common : common_neighbours(graph)) bare += common == 0;
    all += graph.edges();
  }
  EXPECT_NEAR(static_cast<double>(bare) / static_cast<double>(all), 0.65, 0.02);
}

TEST(RandomGeometric, GrowsFromEmptyToComplete) {
  EXPECT_EQ(random_geometric(30, 1e-9, 7).edges(), 0u);
  EXPECT_TRUE(random_geometric(30, 1.5, 7).complete());
  EXPECT_EQ(random_geometric(1, 0.5, 7).agents(), 1u);
  // A pair is closer than r with probability πr² - 8r³/3 + r⁴/2.
  const double r = 0.2, expected = (M_PI * r * r - 8 * r * r * r / 3 + r * r * r * r / 2) * 1000 * 999 / 2;
  EXPECT_NEAR(static_cast<double>(random_geometric(1000, r, 3).edges()), expected, 0.1 * expected);
}

TEST(RandomGeometric, RefusesARadiusThatIsNone) {
  for (double radius : {0.0, -0.1, std::nan(""), std::numeric_limits<double>::infinity()}) {
    EXPECT_TRUE(mentions(error_of([&] { random_geometric(10, radius, 1); }), {"above 0"})) << radius;
  }
  EXPECT_TRUE(mentions(error_of([] { random_geometric(0, 0.5, 1); }), {"at least one agent"}));
}

TEST(Generators, GiveTheSameGraphForTheSameSeed) {
  for (const char* kind : {"regular:4", "regular:40", "geometric:0.3"}) {
    const Graph first = parse_topology(kind, 50, 11);
    const Graph other = parse_topology(kind, 50, 12);
    EXPECT_EQ(parse_topology(kind, 50, 11), first) << kind;
    EXPECT_FALSE(other == first) << kind;
    EXPECT_FALSE(parse_topology(kind, 50, 11 + (std::uint64_t{1} << 32)) == first)
        << kind << ": all 64 bits of the seed must matter";
  }
}

TEST(Generators, MayBeCalledFromSeveralThreads) {
  const Graph regular = random_regular(200, 4, 5), geometric = random_geometric(200, 0.2, 5);
  std::vector<std::future<bool>> runs;
  for (int run = 0; run < 8; ++run) {
    runs.push_back(std::async(std::launch::async, [&] {
      for (int repeat = 0; repeat < 20; ++repeat) {
        if (!(random_regular(200, 4, 5) == regular && random_geometric(200, 0.2, 5) == geometric))
          return false;
      }
      return true;
    }));
  }
  for (auto& run : runs) EXPECT_TRUE(run.get());
}

TEST(Generators, RefuseWhatWouldNotFitInMemory) {
  EXPECT_TRUE(mentions(error_of([] { complete_graph(1'000'000); }), {"too large"}));
  EXPECT_TRUE(
      mentions(error_of([] { complete_graph(std::numeric_limits<std::size_t>::max()); }), {"too large"}));
  EXPECT_TRUE(mentions(error_of([] { ring_lattice(1'000'000, 1000); }), {"too large"}));
  EXPECT_TRUE(mentions(error_of([] { ring_lattice(std::size_t{1} << 40, 4); }), {"too large"}));
  EXPECT_TRUE(mentions(error_of([] { random_regular(1'000'000, 1000, 1); }), {"too large"}));
  EXPECT_TRUE(mentions(error_of([] { random_regular(std::size_t{1} << 40, 4, 1); }), {"too large"}));
  EXPECT_TRUE(mentions(error_of([] { random_geometric(1'000'000, 0.5, 1); }), {"too large"}));
  EXPECT_TRUE(mentions(error_of([] { random_geometric(std::size_t{1} << 40, 0.5, 1); }), {"too large"}));
}

TEST(Topology, MayBeAListOfLinks) {
  const Topology links{.kind = Topology::Kind::given, .links = {{2, 1}, {0, 1}}};
  EXPECT_EQ(links.agents(), std::optional<std::size_t>(3));
  EXPECT_EQ(links.graph(3, 1), Graph(3, {{0, 1}, {1, 2}}));
  EXPECT_EQ(to_string(links), "the given graph");
  EXPECT_FALSE(parse_topology("ring:4").agents());
  EXPECT_TRUE(mentions(error_of([] { Topology{.kind = Topology::Kind::given}.agents(); }), {"no edges"}));
}

TEST(ParseTopology, KnowsTheForms) {
  for (const std::string text : {"ring:4", "complete", "regular:3", "tree:3", "geometric:0.4", "edges:a.txt"})
    EXPECT_EQ(to_string(parse_topology(text)), text);
  EXPECT_EQ(parse_topology("ring:4", 10, 0), ring_lattice(10, 4));
  EXPECT_EQ(parse_topology("complete", 10, 0), complete_graph(10));
  EXPECT_EQ(parse_topology("regular:3", 10, 5), random_regular(10, 3, 5));
  EXPECT_EQ(parse_topology("tree:3", 5, 5), Graph(5, {{0, 1}, {0, 2}, {0, 3}, {1, 4}}));
  EXPECT_EQ(parse_topology("geometric:0.4", 10, 5), random_geometric(10, 0.4, 5));
}

TEST(ParseTopology, ListsTheFormsForAnythingElse) {
  for (const char* text : {"", "ring", "ring:", "ring:x", "ring:4x", "ring: 4", "ring:-4", "ring:4.0",
                           "Ring:4", "complete:3", "complete ", "regular:", "geometric:", "geometric:0.3m",
                           "edges:", "edges", "torus:4", ":", "ring:99999999999999999999999"}) {
    EXPECT_TRUE(mentions(error_of([&] { parse_topology(text, 10, 1); }),
                         {"ring:D", "complete", "regular:D", "geometric:R", "edges:FILE"}))
        << text;
  }
  EXPECT_TRUE(mentions(error_of([] { parse_topology("ring:5", 10, 1); }), {"even degree"}));
}

}  // namespace
}  // namespace tacit
