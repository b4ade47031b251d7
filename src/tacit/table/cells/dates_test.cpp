#include "tacit/table/cells/dates.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <cmath>

#include "tacit/table/csv/csv.hpp"
#include "tacit/table/rows/scratch_testing.hpp"

namespace tacit {
namespace {

using testing::copy;
using testing::Doubles;
using testing::fault_in;
using testing::Strings;

double days(const char* cell, SlashDates slashes = SlashDates::refuse) {
  const auto moment = parse_date(cell, slashes);
  return moment ? moment->days : std::nan("");
}

TEST(Dates, EveryFormOfADay) {
  const double first_of_march = 19783;  // the output of date -d 2024-03-01 +%s, divided by 86400
  for (const char* cell : {"2024-03-01", " 2024-03-01 ", "01.03.2024", "1.3.2024", "2024/03/01"})
    EXPECT_EQ(days(cell), first_of_march) << cell;
  EXPECT_EQ(days("1970-01-01"), 0);
  EXPECT_EQ(days("1969-12-31"), -1);
  EXPECT_EQ(days("1582-10-15"), -141427);
  EXPECT_EQ(days("01/03/2024", SlashDates::day_first), first_of_march);
  EXPECT_EQ(days("3/1/2024", SlashDates::month_first), first_of_march);
  EXPECT_EQ(days("3/1/2024 12:00 AM", SlashDates::month_first), first_of_march);
  EXPECT_EQ(days("3/1/2024 6:00 PM", SlashDates::month_first), first_of_march + 0.75);
}

TEST(Dates, TimesAreFractionsOfADay) {
  for (const char* cell : {"2024-03-01T12:00", "2024-03-01 12:00:00", "2024-03-01 12:00:00.000",
                           "2024-03-01T12:00:00Z", "2024-03-01T14:00:00+02:00", "2024-03-01T06:30:00-0530",
                           "01.03.2024 12:00", "2024-03-01 12:00 PM", "2024-03-01 13:00:00 +01"})
    EXPECT_EQ(days(cell), 19783.5) << cell;
  EXPECT_NEAR(days("2024-03-01 23:59:59.75"), 19784 - 0.25 / 86400, 1e-9);
}

TEST(Dates, WhatIsNoDate) {
  for (const char* cell : {"",
                           "1",
                           "1.5",
                           "2024",
                           "20240301",
                           "2024-02-30",
                           "2023-02-29",
                           "2024-13-01",
                           "2024-00-01",
                           "31.11.2024",
                           "24-03-01",
                           "1.3.202",
                           "1.3.24",
                           "2024-03-01x",
                           "2024-03-01T",
                           "2024-03-01 24:00",
                           "2024-03-01 12:60",
                           "2024-03-01 12:00:61",
                           "2024-03-01 12:00:00.",
                           "2024-03-01 12:00+19:00",
                           "03/01/2024",
                           "2024-03.01",
                           "-2024-03-01",
                           "2024.03.01",
                           "tomorrow",
                           "12:30",
                           "2024-03-01 13:00 PM",
                           "2024-03-01 0:00 AM",
                           "2024-03-01 1:00 P"})
    EXPECT_TRUE(std::isnan(days(cell))) << cell;
  EXPECT_TRUE(std::isnan(days("31/12/2024", SlashDates::month_first)));
  EXPECT_TRUE(std::isnan(days("3/1/24", SlashDates::month_first)));
  EXPECT_TRUE(has_short_year("3/1/24"));
  EXPECT_FALSE(has_short_year("3/1/2024"));
}

TEST(Dates, WhatLooksLikeOne) {
  for (const char* cell : {"2024-03-01", "2024-02-30", "03/01/2024", "13/13/2024", "1.3.2024 8:15", "1.3.24",
                           "3/1/24", "3/1/2024 2:30 PM"})
    EXPECT_TRUE(looks_like_date(cell)) << cell;
  for (const char* cell : {"1.5", "1/2", "2024", "a-b-c", "1.2.3", "10.0.0.1", ""})
    EXPECT_FALSE(looks_like_date(cell)) << cell;
}

TEST(Dates, PartsAreAsTheCellHasThem) {
  const auto moment = *parse_date("2024-03-03T23:30:00-05:00", SlashDates::refuse);  // a Sunday
  EXPECT_EQ(moment.part("year"), 2024);
  EXPECT_EQ(moment.part("month"), 3);
  EXPECT_EQ(moment.part("day"), 3);
  EXPECT_EQ(moment.part("weekday"), 7);
  EXPECT_EQ(moment.part("hour"), 23);
  EXPECT_EQ(parse_date("2024-03-04", SlashDates::refuse)->part("weekday"), 1);
  EXPECT_EQ(part_column("admitted", "hour"), "admitted.hour");
}

TEST(Dates, DaysAreWrittenInOneForm) {
  EXPECT_EQ(parse_day("2024-03-01"), 19783);
  EXPECT_FALSE(parse_day("1.3.2024"));
  EXPECT_FALSE(parse_day("2024-03-01 12:00"));
  EXPECT_EQ(day_text(19783.9), "2024-03-01");
}

RC_GTEST_PROP(DateProperties, EveryDayComesBack, ()) {
  const auto day = static_cast<double>(*rc::gen::inRange(-700'000, 2'900'000));
  RC_ASSERT(parse_day(day_text(day)) == day);
}

TEST(TableDates, AreDaysSinceTheStartAndParts) {
  ReadOptions how;
  how.dates = {{"d", "2024-03-01", {"weekday", "hour"}}};
  how.missing = Missing::drop;
  const Table table =
      parse_table("t", "x,d,y\n1,2024-03-01,5\n2,2024-03-04 18:00,6\n3,NaT,7\n4,28.02.2024,8\n", {}, how);
  EXPECT_EQ(copy(table.columns()), (Strings{"x", "d", "y", "d.weekday", "d.hour"}));
  EXPECT_EQ(copy(table.numbers("d")), (Doubles{0, 3.75, -2}));
  EXPECT_EQ(copy(table.numbers("d.weekday")), (Doubles{5, 1, 3}));
  EXPECT_EQ(copy(table.numbers("d.hour")), (Doubles{0, 18, 0}));
  EXPECT_EQ(table.dropped(), 1u);
}

TEST(TableDates, OnlyWhatIsWantedIsRead) {
  ReadOptions how;
  how.dates = {{"d", "", {"month"}}, {"absent", "2020-01-01", {}}};
  const std::string_view text = "x,d\n1,2024-03-01\n";
  const Table parts = parse_table("t", text, {.only = {"x", "d.month"}}, how);
  EXPECT_EQ(parts.numbers("d.month")[0], 3);
  EXPECT_THROW(parts.numbers("d"), InputError);
  EXPECT_EQ(parse_table("t", "x,d\n1,never\n", {.only = {"x"}}, how).rows(), 1u);
  EXPECT_EQ(parse_table("t", text, {.only = {"d"}}, how).numbers("d")[0], 19783);
  EXPECT_EQ(fault_in("x,date\n1,2024-03-01\n", {.only = {"x", "d.month"}}, how),
            "FILE: there is no column \"d\"; the columns are \"x\", \"date\".");
  EXPECT_NE(fault_in(text, {}, how).find("there is no column \"absent\""), std::string::npos);
  EXPECT_EQ(parse_table("t", "x\n1\n", {.only = {"x"}, .optional = {"absent"}}, how).rows(), 1u);
}

TEST(TableDates, WhatIsNoDateIsSummedUp) {
  ReadOptions how;
  how.dates = {{"d"}};
  EXPECT_EQ(
      fault_in("x,d\n1,2024-02-30\n2,45000\n3,soon\n4,01/02/2024\n", {}, how),
      "FILE: 4 cells in 1 column cannot be used:\n"
      "  line 2, column \"d\": the cell \"2024-02-30\" is not a day of the calendar; correct the dates.\n"
      "  column \"d\": 2 cells are not dates (\"45000\" in line 3, \"soon\" in line 4); write dates as "
      "2024-12-31, 2024-12-31 23:59 or 31.12.2024.\n"
      "  line 5, column \"d\": the cell \"01/02/2024\" has slashes, so day and month are ambiguous; use "
      "`slash_dates=day-first` (or month-first) or write dates as 2024-12-31, 2024-12-31 23:59 or "
      "31.12.2024.");
  how.slash_dates = SlashDates::month_first;
  EXPECT_EQ(parse_table("t", "d,x\n01/02/2024,1\n", {}, how).numbers("d")[0], 19724);
  how.dates = {{"d", "", {"hour"}}};
  EXPECT_EQ(fault_in("d,d.hour\n2024-01-01,1\n", {}, how),
            "FILE: there is already a column \"d.hour\", which is the name for the hour of \"d\"; rename the "
            "column.");
}

}  // namespace
}  // namespace tacit
