#include "tacit/base/settings.hpp"

#include <gtest/gtest.h>

namespace tacit {
namespace {

std::optional<std::string> loud(const Setting& setting, std::string_view value) {
  if (setting.id == "lz") return std::nullopt;
  return "<" + std::string(setting.id) + (value.empty() ? "" : ":" + std::string(value)) + ">";
}

TEST(Settings, AreSortedAndUnique) {
  for (std::size_t k = 1; k < all_settings.size(); ++k) EXPECT_LT(all_settings[k - 1].id, all_settings[k].id);
}

TEST(Settings, FrontEndsWordThem) {
  EXPECT_EQ(worded("give one with `y_max`", loud), "give one with <y_max>");
  EXPECT_EQ(worded("`tune=paper` needs `protocol=exact`; `tune_box=0.1,2`.", loud),
            "<tune:paper> needs <protocol:exact>; <tune_box:0.1,2>.");
  EXPECT_EQ(worded("`id=a=b`", loud), "<id:a=b>");
  EXPECT_EQ(worded("", loud), "");
  EXPECT_EQ(worded("no setting", loud), "no setting");
}

TEST(Settings, KeepWhatIsNoneOfTheirs) {
  EXPECT_EQ(worded("`lz` stays, `y_max` not", loud), "`lz` stays, <y_max> not");
  EXPECT_EQ(worded("a ` alone", loud), "a ` alone");
  EXPECT_EQ(worded("`unknown` and ``", loud), "`unknown` and ``");
  EXPECT_EQ(worded("`a`b`y_max`", loud), "`a`b<y_max>");
}

TEST(Settings, TakeAValue) {
  EXPECT_EQ(with_value("`decimal`", "dot"), "`decimal=dot`");
  EXPECT_EQ(with_value("[data] decimal", "dot"), "[data] decimal dot");
}

TEST(Settings, PlainWords) {
  EXPECT_EQ(in_plain_words("use `tune=none` or `tune_box`"), "use tune=none or tune_box");
  EXPECT_EQ(in_plain_words("`check` shows the details"), "the check of the agent shows the details");
}

}  // namespace
}  // namespace tacit
