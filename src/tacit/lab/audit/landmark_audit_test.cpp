#include "tacit/lab/audit/landmark_audit.hpp"

#include <gtest/gtest.h>

#include "tacit/base/error.hpp"

namespace tacit {
namespace {

LandmarkAudit asked(const PoolShape& shape) {
  LandmarkAudit audit;
  audit.shape = shape;
  return audit;
}

TEST(LandmarkAudit, Counts) {
  LandmarkAudit two = asked({.rows = 400, .inputs = 10, .landmarks = 45, .agents = 10});
  two.outputs = 2;
  two.ceiling = 45;
  const LandmarkAudit report = audit_landmarks(two, {});
  EXPECT_EQ(report.opened(), 45u * 46 / 2 + 90);
  EXPECT_EQ(report.held(), 4800u);
  EXPECT_EQ(report.rows_alone(), 40u);
  EXPECT_DOUBLE_EQ(report.share_alone(), 10 * report.share());
  EXPECT_DOUBLE_EQ(report.share_targets(), 45. / 400);
  EXPECT_FALSE(report.trial);
  EXPECT_NE(findings_in_words(report)[1].find("They may be able to compute its rows"), std::string::npos);
  EXPECT_EQ(advice_in_words(report).size(), 1u);  // about colluding agents
}

TEST(LandmarkAudit, ReportsWhatAnAttackFound) {
  LandmarkAudit few = asked({.rows = 6, .inputs = 1, .landmarks = 6, .agents = 1});
  few.ceiling = 1;
  const LandmarkAudit report = audit_landmarks(few, {});
  ASSERT_TRUE(report.trial);
  EXPECT_NE(findings_in_words(report)[0].find("225 %"), std::string::npos);
  EXPECT_NE(findings_in_words(report)[0].find("above the ceiling"), std::string::npos);
  EXPECT_EQ(advice_in_words(report).at(0), "Use at most 1 landmark, or more rows.");
}

TEST(LandmarkAudit, RefusesWhatCannotBe) {
  for (const PoolShape& shape : {PoolShape{.rows = 5, .landmarks = 6}, PoolShape{.rows = 5, .landmarks = 0},
                                 PoolShape{.rows = 5, .landmarks = 2, .agents = 6}})
    EXPECT_THROW(audit_landmarks(asked(shape), {}), InputError);
}

}  // namespace
}  // namespace tacit
