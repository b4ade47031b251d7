#include "tacit/agent/node.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "tacit/agent/node_testing.h"
#include "tacit/graph/generators.hpp"
#include "tacit/protocol/exact.hpp"

namespace tacit {
namespace {

using namespace testing;

// Everybody adds 1, 10, 100, ... and tells the sum.
NodeProgram adding(std::size_t agents) {
  NodeProgram program;
  program.program = [agents](Channel& net, const Run& run) -> Task<std::string> {
    ExactRequest request;
    request.agents = agents;
    request.value_bound = 1e6;
    request.unit = 1;
    request.originator = run.originator;
    request.fewest = 2;
    const ExactPlan plan = make_exact_plan(request);
    const ExactSum sum = co_await exact_sum(net, plan, Values(1, std::pow(10, net.self())));
    co_return std::to_string(static_cast<int>(sum.sum[0]));
  };
  return program;
}

TEST(Node, ThreeAgentsAddUpOverLoopback) {
  Town town(ring_lattice(3, 2));
  town.start(adding(3));
  town.wait_for_links();
  for (AgentId originator = 0; originator < 3; ++originator) {
    const RunOutcome outcome = town[originator].ask({"add", ""}).get();
    EXPECT_TRUE(outcome.done) << outcome.error;
    EXPECT_EQ(outcome.result, "111");
    EXPECT_EQ(outcome.present, (std::vector<AgentId>{0, 1, 2}));
  }
}

}  // namespace
}  // namespace tacit
