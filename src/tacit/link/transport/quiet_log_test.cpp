#include "tacit/link/transport/quiet_log.hpp"

#include <gtest/gtest.h>

#include <thread>
#include <vector>

namespace tacit {
namespace {

using namespace std::chrono_literals;

TEST(QuietLog, WritesATopicAFewTimesAndThenCounts) {
  std::vector<std::string> lines;
  QuietLog log([&](LogLevel, const std::string& text) { lines.push_back(text); }, 1h);
  for (int k = 0; k < 100; ++k) {
    log.write_at_most(3, LogLevel::error, "about agent 1", "line " + std::to_string(k));
    log.write_once(LogLevel::error, "about agent 2", "once");
  }
  EXPECT_EQ(lines, (std::vector<std::string>{"line 0", "once", "line 1", "line 2"}));
}

TEST(QuietLog, AGroupHasFewTopicsHoweverManyAPeerInvents) {
  std::vector<std::string> lines;
  QuietLog log([&](LogLevel, const std::string& text) { lines.push_back(text); }, 1h);
  for (int k = 0; k < 1000; ++k) {
    log.write_once_of("agent 1", LogLevel::error, "the same", "the same");
    log.write_once_of("agent 1", LogLevel::error, "topic " + std::to_string(k / 2), "another");
  }
  EXPECT_EQ(lines.size(), QuietLog::most_of_group);
  EXPECT_EQ(lines[0], "the same");
  log.write_once_of("agent 2", LogLevel::error, "topic of agent 2", "of agent 2");
  EXPECT_EQ(lines.back(), "of agent 2");
}

TEST(QuietLog, AfterAPauseItReportsTheCount) {
  std::vector<std::string> lines;
  QuietLog log([&](LogLevel, const std::string& text) { lines.push_back(text); }, 1ms);
  log.write_once(LogLevel::error, "topic", "first");
  // On any machine, at least some of these repeats fall within one pause and are left out.
  for (int k = 0; k < 100'000; ++k) log.write_once(LogLevel::error, "topic", "again");
  std::this_thread::sleep_for(2ms);
  log.write_once(LogLevel::error, "topic", "last");
  EXPECT_EQ(lines.front(), "first");
  EXPECT_TRUE(lines.back().starts_with("last")) << lines.back();
  EXPECT_LT(lines.size(), 100'000u);
  std::uint64_t counted = 0;
  for (const std::string& line : lines)
    if (const std::size_t at = line.find('('); at != std::string::npos)
      counted += std::stoull(line.substr(at + 1));
    else
      ++counted;
  EXPECT_EQ(counted, 100'002u) << "every line is either written or counted";
}

}  // namespace
}  // namespace tacit
