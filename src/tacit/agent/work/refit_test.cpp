#include "tacit/agent/work/refit.hpp"

#include <gtest/gtest.h>

namespace tacit {
namespace {

using namespace std::chrono_literals;

TEST(Refits, AreNeverDueUnlessAskedFor) {
  const Refits refits(1);
  EXPECT_FALSE(refits.on());
  EXPECT_FALSE(refits.due(utc_now()));
}

TEST(Refits, AreDueWhenTheModelIsOld) {
  Refits refits(1);
  refits.set(24h);
  const UtcTime fitted = utc_now() + 1min;
  const UtcTime due = refits.due(fitted).value();
  EXPECT_GE(due, fitted + 24h);
  EXPECT_LE(due, fitted + 24h + 1min);
  refits.set(24h);  // as after a reload: no change
  EXPECT_EQ(refits.due(fitted), due);
  // Without a model, soon, but not before the links had time to connect.
  EXPECT_LE(refits.due(std::nullopt).value(), utc_now() + 10s);
  EXPECT_GT(refits.due(std::nullopt).value(), utc_now());
}

TEST(Refits, AFitThatCameToNothingIsTriedAgainLater) {
  Refits refits(1);
  refits.set(24h);
  const UtcTime now = utc_now();
  refits.asked(now);
  EXPECT_EQ(refits.due(std::nullopt), now + 1h);
  EXPECT_EQ(refits.due(now - 48h), now + 1h);
  refits.set(20s);
  refits.asked(now);
  EXPECT_LE(refits.due(std::nullopt).value(), now + 20s);
  refits.set(std::nullopt);
  EXPECT_FALSE(refits.due(now - 48h));
}

}  // namespace
}  // namespace tacit
