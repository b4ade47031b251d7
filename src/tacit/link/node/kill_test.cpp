// Real agent processes that are killed at any step: the others finish or fail with a reason in time, and the
// killed agent comes back. TACIT_KILLS is the number of kills; scripts/fire makes a hundred. TACIT_SEED
// repeats the same victims and times.
#include <gtest/gtest.h>

#include <cstdlib>
#include <random>
#include <thread>

#include "tacit/graph/generators.hpp"
#include "tacit/link/node/process_testing.hpp"

namespace tacit {
namespace {

using namespace testing;

int how_many(int usual) {
  const char* given = std::getenv("TACIT_KILLS");
  return given ? std::atoi(given) : usual;
}

// True if the answer is the sum of all agents, or an error with a reason.
bool plausible(const std::string& answer) {
  if (answer.starts_with("failed ")) return answer.size() > 20 && !says(answer, "A WRONG NUMBER");
  return answer == "done 11111";
}

TEST(Kill, AnyAgentAtAnyStepAndAllComeBack) {
  const std::uint64_t drawn = seed();
  SCOPED_TRACE("TACIT_SEED=" + std::to_string(drawn));
  std::mt19937_64 random(drawn);
  ProcessNetwork network(ring_lattice(5, 4));
  ASSERT_TRUE(network.linked());
  int finished = 0;
  for (int k = 0; k < how_many(8); ++k) {
    const auto originator = static_cast<AgentId>(random() % 5);
    const auto victim = static_cast<AgentId>(random() % 5);
    const bool average = random() % 4 == 0;
    const bool back_at_once = random() % 2 == 0;
    SCOPED_TRACE("kill " + std::to_string(k) + " of " + std::to_string(victim) + " asked by " +
                 std::to_string(originator));
    network[originator].tell(average ? "average" : "ask");
    std::this_thread::sleep_for(std::chrono::microseconds(random() % 60'000));  // at any step
    network[victim].kill();
    if (back_at_once) network.start(victim);
    if (victim != originator) {
      const auto answer = network[originator].hear();
      ASSERT_TRUE(answer) << "no answer within a minute: the agent hangs, or it ended";
      const bool good =
          average ? answer == "done 0.500000" || answer->starts_with("failed ") : plausible(*answer);
      ASSERT_TRUE(good) << *answer;
      if (answer->starts_with("done")) ++finished;
    }
    if (!back_at_once) network.start(victim);
    ASSERT_TRUE(network.linked()) << "the killed agent did not come back";
    // All agents take part again: none is left in a run that has ended.
    network[victim].tell("ask");
    ASSERT_EQ(network[victim].hear().value_or("nothing"), "done 11111");
  }
  RecordProperty("finished", finished);
}

TEST(Kill, AFrozenAgentIsLostAndThawsAgain) {
  ProcessNetwork network(ring_lattice(5, 4));
  ASSERT_TRUE(network.linked());
  network[3].pause();
  network[0].tell("ask without 3");
  ASSERT_EQ(network[0].hear().value_or("nothing"), "done 10111");
  network[0].tell("ask");
  ASSERT_TRUE(says(network[0].hear().value_or("nothing"), "agent-3 (agent 3) did not answer"));
  network[3].resume();
  ASSERT_TRUE(network.linked());
  // Its neighbours treated it as lost. If a link reports that to it during a run, the run ends, and it may
  // ask again.
  std::string answer;
  for (int tries = 0; tries < 10 && answer != "done 11111"; ++tries) {
    network[3].tell("ask");
    answer = network[3].hear().value_or("nothing");
    EXPECT_TRUE(answer == "done 11111" || answer.starts_with("failed ")) << answer;
  }
  EXPECT_EQ(answer, "done 11111");
}

TEST(Kill, AgentsEndOnRequest) {
  ProcessNetwork network(complete_graph(3));
  ASSERT_TRUE(network.linked());
  network[0].tell("ask");
  EXPECT_EQ(network[0].hear().value_or("nothing"), "done 111");
  for (AgentId i = 0; i < 3; ++i) EXPECT_EQ(network[i].end(), 0);
}

}  // namespace
}  // namespace tacit
