#include "tacit/ranks/team/team.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "tacit/base/error.hpp"
#include "tacit/ranks/team/thread_team.hpp"

namespace tacit {
namespace {

TEST(Team, AllRanksGetWhatRankZeroBroadcasts) {
  for (std::size_t ranks : {1, 2, 3, 4, 5, 8, 13})
    run_ranks(ranks, [](Team& team) {
      std::string bytes = team.leads() ? "from the leader" : "";
      team.broadcast(bytes);
      EXPECT_EQ(bytes, "from the leader") << team.rank() << " of " << team.size();
    });
}

TEST(Team, WhatIsGatheredSharedAndExchangedIsInTheOrderOfRanks) {
  for (std::size_t ranks : {1, 2, 3, 5})
    run_ranks(ranks, [ranks](Team& team) {
      std::vector<std::string> all, to, from;
      for (std::size_t r = 0; r < ranks; ++r) {
        all.push_back(std::to_string(r));
        to.push_back(fmt::format("{} to {}", team.rank(), r));
        from.push_back(fmt::format("{} to {}", r, team.rank()));
      }
      EXPECT_EQ(team.gather(std::to_string(team.rank())), team.leads() ? all : std::vector<std::string>());
      EXPECT_EQ(team.share(std::to_string(team.rank())), all);
      EXPECT_EQ(team.exchange(to), from);
    });
}

TEST(Team, ARankThatEndsIsNamedToTheRanksThatWaitForIt) {
  try {
    run_ranks(3, [](Team& team) {
      if (team.rank() == 2) return;
      if (team.leads()) team.receive(2);
    });
    FAIL() << "nothing was thrown";
  } catch (const Error& e) {
    EXPECT_NE(std::string(e.what()).find("rank 2 has ended"), std::string::npos) << e.what();
  }
}

TEST(Team, WhatARankThrowsIsThrownOfTheLowestRank) {
  EXPECT_THROW(run_ranks(3,
                         [](Team& team) {
                           if (team.rank() == 1) throw InputError("one");
                           if (team.rank() == 2) throw Error("two");
                         }),
               InputError);
}

}  // namespace
}  // namespace tacit
