#include "tacit/table/read_settings.hpp"

#include <gtest/gtest.h>

#include "tacit/base/base_testing.hpp"

namespace tacit {
namespace {

using testing::error_of;
using Strings = std::vector<std::string>;

TEST(ReadSettings, WordsBecomeOptions) {
  ReadSettings settings;
  EXPECT_FALSE(settings.checked().delimiter);
  settings.delimiter = value_of("--delimiter", "semicolon", delimiter_words());
  settings.decimal_comma = value_of("--decimal", "comma", decimal_words());
  settings.missing = value_of("--missing", "drop", missing_row_words());
  settings.slash_dates = value_of("--slash-dates", "month-first", slash_date_words());
  settings.missing_values = {" chol : 0 | unknown", "bp:0"};
  settings.categorical = {"stage:none|early stage", " sex "};
  settings.dates = {"born", "admitted: weekday|2020-01-31 |hour"};
  settings.variables = {"X", " y"};
  const ReadOptions how = settings.checked(SettingsIn::agent_toml);
  EXPECT_EQ(how.settings, SettingsIn::agent_toml);
  EXPECT_EQ(how.delimiter, ';');
  EXPECT_TRUE(how.decimal_comma);
  EXPECT_EQ(how.missing, Missing::drop);
  EXPECT_EQ(how.slash_dates, SlashDates::month_first);
  EXPECT_EQ(how.missing_values[0].column, "chol");
  EXPECT_EQ(how.missing_values[0].words, (Strings{"0", "unknown"}));
  EXPECT_EQ(how.categorical[0].words, (Strings{"none", "early stage"}));
  EXPECT_EQ(how.categorical[1].column, "sex");
  EXPECT_EQ(how.dates[0].start, "");
  EXPECT_EQ(how.dates[1].column, "admitted");
  EXPECT_EQ(how.dates[1].start, "2020-01-31");
  EXPECT_EQ(how.dates[1].parts, (Strings{"weekday", "hour"}));
  EXPECT_EQ(how.variables, (Strings{"X", "y"}));
}

TEST(ReadSettings, WhatIsWrongIsSaidInTheWordsOfThePlace) {
  const auto refusal = [](auto change, SettingsIn where = SettingsIn::options) {
    ReadSettings settings;
    change(settings);
    return error_of([&] { settings.checked(where); });
  };
  EXPECT_EQ(error_of([] { value_of("[data] decimal", "dot", decimal_words()); }),
            "[data] decimal dot is unknown; use point or comma");
  EXPECT_EQ(refusal([](auto& s) { s.missing_values = {"chol"}; }, SettingsIn::agent_toml),
            "[data] missing_values chol has no value; write chol:VALUE");
  EXPECT_EQ(refusal([](auto& s) { s.dates = {"d:2020-02-30"}; }),
            "`date=d`: '2020-02-30' is neither a start date such as 2020-01-31 nor one of year, month, day, "
            "weekday, hour");
  EXPECT_EQ(refusal([](auto& s) { s.dates = {"d:hour|hour"}; }), "`date=d` has 'hour' twice; name it once");
  EXPECT_EQ(refusal([](auto& s) { s.dates = {"d:2020-01-01|2021-01-01"}; }),
            "`date=d` has two start dates; keep one");
  EXPECT_EQ(refusal([](auto& s) {
              s.dates = {"d", "d:hour"};
            }),
            "`date` names column 'd' twice; name it once");
  EXPECT_EQ(refusal([](auto& s) { s.categorical = {":a"}; }),
            "`categorical` ':a' has no column name; write COL or COL:a|b|c");
  EXPECT_EQ(error_of([] { value_of("`slash_dates`", "us", slash_date_words()); }),
            "`slash_dates=us` is unknown; use day-first or month-first");
}

TEST(ReadSettings, AdviceFitsThePlace) {
  ReadOptions how;
  EXPECT_EQ(setting(how, "missing", "drop"), "`missing=drop`");
  EXPECT_EQ(setting(how, "categorical", "sex"), "`categorical=sex`");
  how.by_charter = true;
  EXPECT_EQ(setting(how, "missing", "drop"), "`missing=drop`");
  EXPECT_EQ(setting(how, "categorical", "sex"), "");
  how.settings = SettingsIn::agent_toml;
  EXPECT_EQ(setting(how, "missing", "drop"), "missing = \"drop\" under [data] in agent.toml");
  EXPECT_EQ(setting(how, "missing_value", "chol:."),
            "missing_values = [\"chol:.\"] under [data] in agent.toml");
  EXPECT_EQ(setting(how, "date", "d"), "");
  how.settings = SettingsIn::nowhere;
  EXPECT_EQ(setting(how, "missing", "drop"), "");
  EXPECT_EQ(either({"a", "", "b"}), "a or b");
  EXPECT_EQ(either({"a", "b", "c"}), "a, b, or c");
  EXPECT_EQ(either({"", "c"}), "c");
}

}  // namespace
}  // namespace tacit
