#include "tacit/ranks/team/start_check.hpp"

#include <gtest/gtest.h>

#include <mutex>

#include "tacit/base/error.hpp"
#include "tacit/ranks/team/thread_team.hpp"

namespace tacit {
namespace {

// The notes at rank 0 if the last of three ranks is of this kind, or the error that all ranks throw.
std::vector<std::string> notes_of(const RankKind& usual, const RankKind& last) {
  std::vector<std::string> found;
  int refused = 0;
  std::mutex guard;
  run_ranks(3, [&](Team& team) {
    try {
      const auto notes = roll_call(team, team.rank() == 2 ? last : usual);
      if (team.leads()) found = notes;
    } catch (const InputError& e) {
      const std::lock_guard lock(guard);
      found = {e.what()};
      ++refused;
    }
  });
  EXPECT_TRUE(refused == 0 || refused == 3) << refused;
  return found;
}

TEST(RollCall, RanksThatWouldRoundDifferentlyAreRefusedByName) {
  const RankKind usual{"0.3.0", "Haswell", "node1", 2, 2, 2};
  EXPECT_TRUE(notes_of(usual, {"0.3.0", "Haswell", "node7", 2, 2, 2}).empty());
  const auto old = notes_of(usual, {"0.2.0", "Haswell", "node7", 2, 2, 2});
  ASSERT_EQ(old.size(), 1u);
  EXPECT_EQ(old[0],
            "rank 2 (on node7) runs tacit 0.2.0, but rank 0 (on node1) runs tacit 0.3.0; install the same "
            "release on all machines");
  const auto other = notes_of(usual, {"0.3.0", "Nehalem", "node7", 2, 2, 2});
  ASSERT_EQ(other.size(), 1u);
  EXPECT_EQ(other[0].find("rank 2 (on node7) uses OpenBLAS for Nehalem, but rank 0 (on node1) uses it for "
                          "Haswell, which rounds differently; use machines with the same kind"),
            0u)
      << other[0];
}

TEST(RollCall, ARankWithFewerCoresThanItsShareIsNoted) {
  const RankKind usual{"0.3.0", "Haswell", "node1", 4, 4, 8};
  EXPECT_EQ(notes_of(usual, {"0.3.0", "Haswell", "node7", 1, 4, 8}),
            std::vector<std::string>{
                "rank 2 may use only 1 of the 8 cores of node7; start with mpirun --bind-to none"});
}

}  // namespace
}  // namespace tacit
