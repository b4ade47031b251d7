#include "tacit/charter/setting_words.hpp"

#include <gtest/gtest.h>

#include <set>

#include "tacit/base/settings.hpp"

namespace tacit {
namespace {

TEST(CharterWords, NameFields) {
  EXPECT_EQ(in_charter_words("the bound on |y| (`y_max`) must be positive"),
            "the bound on |y| (the target's low and high in [columns]) must be positive");
  EXPECT_EQ(in_charter_words(
                "Use `protocol=exact`, `landmarks=0` or `tune=none`; move the start or widen `tune_box`."),
            "Use sums = \"exact\" in [protocol], landmarks = 0 in [model] or on = false in [tuning]; move "
            "the start "
            "or widen low and high in [tuning].");
  EXPECT_EQ(in_charter_words(
                "Raise `lengthscale=2`, `restarts` or `tune_evaluations`, or use `acceleration=none`."),
            "Raise lengthscale = 2 in [model], restarts in [tuning] or evaluations in [tuning], or use "
            "acceleration = \"none\" in [protocol].");
  EXPECT_EQ(in_charter_words("`together` asks all agents"), "`together` asks all agents");
}

// A new setting must be in one of the two lists: fields of a charter, or none of its fields.
TEST(CharterWords, EverySettingIsAFieldOrNoneOfACharter) {
  const std::set<std::string_view> none = {"agent",
                                           "allow_missing_triangles",
                                           "bandwidth",
                                           "check",
                                           "coalition",
                                           "colluding",
                                           "data",
                                           "data_dir",
                                           "decimal",
                                           "delimiter",
                                           "dimension",
                                           "error",
                                           "expert_split",
                                           "helpers",
                                           "holdout",
                                           "id",
                                           "iterations",
                                           "landmark_points",
                                           "lw",
                                           "missing",
                                           "missing_value",
                                           "modulus_bits",
                                           "modulus_rule",
                                           "new_page",
                                           "outputs",
                                           "parts",
                                           "password_file",
                                           "points",
                                           "protect",
                                           "rho",
                                           "rivals",
                                           "scratch",
                                           "shares",
                                           "size",
                                           "skip_bad",
                                           "slash_dates",
                                           "split",
                                           "sql",
                                           "stream",
                                           "test",
                                           "test_fraction",
                                           "together",
                                           "tune_decay",
                                           "tune_gradient",
                                           "tune_iterations",
                                           "tune_landmarks",
                                           "tune_lz",
                                           "tune_shared",
                                           "tune_start",
                                           "tune_step",
                                           "value_bound",
                                           "variables",
                                           "with_experts",
                                           "without"};
  for (const Setting& setting : all_settings) {
    const std::string text = "`" + std::string(setting.id) + "`";
    EXPECT_EQ(in_charter_words(text) == text, none.contains(setting.id)) << setting.id;
  }
}

}  // namespace
}  // namespace tacit
