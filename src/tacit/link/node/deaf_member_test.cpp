// A member with a certificate that opens streams, sends frames of the largest size and never reads: the
// memory of its victim stays under the bound in docs/network.md, the others' sums finish, and the log stays
// short.
#include <gtest/gtest.h>

#include <algorithm>
#include <thread>

#include "tacit/graph/generators.hpp"
#include "tacit/link/node/hostile_testing.hpp"
#include "tacit/link/node/process_testing.hpp"

namespace tacit {
namespace {

using namespace testing;

constexpr std::uint64_t enough_frames = 30;
constexpr std::size_t flood_streams = 8;               // the victim accepts four at a time
constexpr std::size_t most_for_one_member = 1u << 30;  // bytes

void wait_for_frames(const DeafFlood& flood) {
  const auto deadline = std::chrono::steady_clock::now() + 60s;
  while (flood.frames_sent() < enough_frames && std::chrono::steady_clock::now() < deadline)
    std::this_thread::sleep_for(10ms);
  EXPECT_GE(flood.frames_sent(), enough_frames);
}

TEST(DeafMember, OccupiesBoundedMemoryAndOthersFinish) {
#ifdef TACIT_SANITIZED
  GTEST_SKIP() << "sanitizers keep freed memory, so a bound on it is meaningless";
#endif
  ProcessNetwork network(complete_graph(4));
  ASSERT_TRUE(network.linked());
  network[3].kill();
  const std::size_t before = network[0].resident_bytes();
  {
    const DeafFlood flood(network.network().options(3), 0, flood_streams);
    wait_for_frames(flood);
    for (int k = 0; k < 3; ++k) {
      network[1].tell("ask without 3");
      EXPECT_EQ(network[1].hear().value_or("nothing"), "done 111");
    }
  }
  const std::size_t most = network[0].most_resident_bytes();
  EXPECT_LT(most, before + most_for_one_member);
  RecordProperty("mebibytes", static_cast<int>((most - before) >> 20));
  network.start(3);
  ASSERT_TRUE(network.linked());
  network[2].tell("ask");
  EXPECT_EQ(network[2].hear().value_or("nothing"), "done 1111");
}

TEST(DeafMember, LeavesFewLinesInTheLog) {
  TestNetwork network(complete_graph(4));
  for (AgentId i = 0; i < 3; ++i) network.start(i, adding(4));
  {
    const DeafFlood flood(network.options(3), 0, flood_streams);
    wait_for_frames(flood);
    EXPECT_EQ(sum_in(network[1].ask({"add", ""}, {0, 1, 2}).get()), 111);
  }
  const std::string log = network.log_of(0);
  EXPECT_LT(std::ranges::count(log, '\n'), 200) << log;
}

// Each frame causes an answer, which the member never reads.
TEST(DeafMember, GetsNoMoreAnswersThanItReads) {
  TestNetwork network(complete_graph(3));
  for (AgentId i = 0; i < 2; ++i) network.start(i, adding(3));
  Hostile member(network.options(2), 0);
  ASSERT_TRUE(member.join());
  for (int k = 0; k < 20'000; ++k) {  // never acknowledges the answers
    wire::Header header;
    *header.mutable_message() = to_wire(random_name(), {});
    member.tell(header);
  }
  EXPECT_EQ(sum_in(network[0].ask({"add", ""}, {0, 1}).get()), 11);
  for (const NeighbourStatus& one : network[0].status().neighbours)
    EXPECT_LT(one.bytes_sent, 1u << 20) << one.name << ": an answer to each frame would be several megabytes";
}

}  // namespace
}  // namespace tacit
