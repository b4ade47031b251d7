#include "tacit/agent/work/policy.hpp"

#include <gtest/gtest.h>

#include "tacit/base/system/files.hpp"
#include "tacit/identity/identity_testing.hpp"

namespace tacit {
namespace {

using namespace testing;

class OwnersPolicy : public ::testing::Test {
 protected:
  ScratchFolder folder;
  std::filesystem::path file = folder.path / "policy.json";
  Policy::Days day{std::chrono::days(20'000)};
  PolicyRules rules = [] {
    PolicyRules r;
    r.may = {{RequestKind::fit, {"b"}}, {RequestKind::predict, {"*"}}};
    r.a_day = {{RequestKind::predict, 1000}};
    return r;
  }();

  Policy make() {
    return Policy(rules, "a", file, [this] { return day; });
  }
};

TEST_F(OwnersPolicy, DecidesWhoMayAskForWhat) {
  const Policy policy = make();
  EXPECT_FALSE(policy.objection("b", RequestKind::fit, 1));
  const auto no = policy.objection("c", RequestKind::fit, 1);
  ASSERT_TRUE(no);
  EXPECT_EQ(no->reason.code, ReasonCode::may_not_ask);
  EXPECT_TRUE(says(no->words, "policy of a does not allow fit requests from c"));
  EXPECT_FALSE(policy.objection("c", RequestKind::predict, 1000));
  EXPECT_TRUE(policy.objection("c", RequestKind::evaluate, 1));   // the kind is not listed
  EXPECT_FALSE(policy.objection("a", RequestKind::evaluate, 1));  // the owner may
  EXPECT_TRUE(says(refusal([] { parse_request_kind("leak"); }), "no request kind called leak"));
}

TEST_F(OwnersPolicy, CountsForEachAgentAndDay) {
  Policy policy = make();
  policy.charge("b", RequestKind::predict, 600);
  EXPECT_EQ(policy.left("b", RequestKind::predict), 400u);
  EXPECT_EQ(policy.left("c", RequestKind::predict), 1000u);
  EXPECT_EQ(policy.left("b", RequestKind::fit), std::nullopt);
  EXPECT_TRUE(says(refusal([&] { policy.charge("b", RequestKind::predict, 401); }),
                   "1000 predictions per day (remaining: 400, requested: 401)"));
  EXPECT_EQ(policy.left("b", RequestKind::predict), 400u);
  EXPECT_EQ(policy.objection("b", RequestKind::predict, 401)->reason.code, ReasonCode::limit_reached);
  EXPECT_EQ(policy.objection("b", RequestKind::predict, 401)->reason.detail, 400u);
  policy.charge("b", RequestKind::predict, 400);
  EXPECT_TRUE(policy.objection("b", RequestKind::predict, 1));
  policy.charge("a", RequestKind::predict, 1'000'000);  // the owner
  day += std::chrono::days(1);
  EXPECT_EQ(policy.left("b", RequestKind::predict), 1000u);
  policy.charge("b", RequestKind::predict, 1000);
  EXPECT_TRUE(policy.objection("b", RequestKind::predict, 1));
}

TEST_F(OwnersPolicy, CountsSurviveRestarts) {
  { make().charge("b", RequestKind::predict, 605); }
  EXPECT_EQ(make().left("b", RequestKind::predict), 395u);
  {
    Policy policy = make();
    for (int k = 0; k < 95; ++k) policy.charge("b", RequestKind::predict, 1);
  }
  EXPECT_EQ(make().left("b", RequestKind::predict), 300u);
  // The next day starts from 0. Setting the clock back does not restore a limit.
  day += std::chrono::days(1);
  {
    Policy policy = make();
    EXPECT_EQ(policy.left("b", RequestKind::predict), 1000u);
    policy.charge("b", RequestKind::predict, 999);
  }
  day -= std::chrono::days(1);
  EXPECT_EQ(make().left("b", RequestKind::predict), 1u);
}

TEST_F(OwnersPolicy, ACrashNeverGivesAnythingTwice) {
  std::uint64_t charged = 0;
  for (int k = 0; k < 50; ++k) {
    Policy policy = make();
    const std::uint64_t amount = static_cast<std::uint64_t>(k % 7 + 1);
    if (policy.objection("b", RequestKind::predict, amount)) break;
    policy.charge("b", RequestKind::predict, amount);
    charged += amount;
    const std::string as_crashed = read_whole(file);
    std::uint64_t left = 0;
    {
      const Policy again = make();  // reads what a crash would have left
      left = *again.left("b", RequestKind::predict);
    }
    EXPECT_LE(left, 1000 - charged);
    write_whole(file, as_crashed);
    // `policy` ends here and releases what was written ahead.
  }
  EXPECT_GT(charged, 100u);
}

TEST_F(OwnersPolicy, BrokenCountsLeaveNothingOfALimit) {
  for (const char* text : {"", "{", "{\"day\": \"x\"}", "[]"}) {
    folder.write("policy.json", text);
    {
      const Policy policy = make();
      EXPECT_TRUE(says(policy.fault(), "policy.json: the request counts are damaged")) << text;
      EXPECT_EQ(policy.left("b", RequestKind::predict), 0u);
      EXPECT_TRUE(policy.objection("b", RequestKind::predict, 1));
      EXPECT_FALSE(policy.objection("a", RequestKind::predict, 1));  // the owner has no limit
    }
    EXPECT_EQ(read_whole(file), text);  // not overwritten
  }
  std::filesystem::remove(file);
  EXPECT_EQ(make().fault(), "");
}

TEST_F(OwnersPolicy, CountsOfALaterReleaseAreLeftAsTheyAre) {
  const std::string later = "{\"format\": 2, \"something\": \"else\"}";
  folder.write("policy.json", later);
  EXPECT_TRUE(says(refusal([&] { make(); }), "policy.json was written by a newer Tacit (format 2"));
  EXPECT_EQ(read_whole(file), later);
}

TEST_F(OwnersPolicy, NeverFewerThanThreeAgents) {
  rules.fewest = 1;
  EXPECT_EQ(make().fewest(), 3u);
  rules.fewest = 4;
  EXPECT_EQ(make().fewest(), 4u);
}

TEST_F(OwnersPolicy, NoMemberIsExcludedUnlessTheOwnerAllowsIt) {
  const auto no = make().objection_without("c");
  ASSERT_TRUE(no);
  EXPECT_EQ(no->reason.code, ReasonCode::not_without);
  EXPECT_TRUE(says(no->words, "policy of a does not allow a fit without c"));
  rules.without = {"c"};
  EXPECT_FALSE(make().objection_without("c"));
  EXPECT_TRUE(make().objection_without("b"));
  rules.without = {"*"};
  EXPECT_FALSE(make().objection_without("b"));
}

}  // namespace
}  // namespace tacit
