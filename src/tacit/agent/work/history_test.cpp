#include "tacit/agent/work/history.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <fstream>

#include "tacit/agent/daemon/utc.hpp"
#include "tacit/identity/identity_testing.hpp"

namespace tacit {
namespace {

using namespace testing;

struct AHistory : ::testing::Test {
  ScratchFolder folder;
  const std::filesystem::path file = History::file_in(folder.path);
  std::vector<std::string> logged;
  History opened() {
    return {file, [this](LogLevel, const std::string& words) { logged.push_back(words); }};
  }
  void write(const std::string& text) const { std::ofstream(file, std::ios::app) << text; }
};

TEST_F(AHistory, IsThereAgainAfterARestart) {
  {
    History history = opened();
    history.add(
        {.kind = "fit", .asker = "bonn", .outcome = "failed", .reason = "\"away\"\n", .seconds = 2.5});
    history.add(PastScore{.time = {}, .version = 3, .rows = 70, .rmse = 1.25, .log_density = std::nan("")});
  }
  History again = opened();
  again.add({.kind = "predict", .asker = "aachen", .outcome = "done"});
  const Past past = read_history(file);
  ASSERT_EQ(past.requests.size(), 2u);
  EXPECT_EQ(past.requests[0].request.asker, "bonn");
  EXPECT_EQ(past.requests[0].request.reason, "\"away\"\n");
  EXPECT_EQ(past.requests[0].request.seconds, 2.5);
  EXPECT_EQ(past.requests[1].request.outcome, "done");
  EXPECT_TRUE(parse_utc(past.requests[1].time));
  ASSERT_EQ(past.scores.size(), 1u);
  EXPECT_EQ(past.scores[0].version, 3u);
  EXPECT_EQ(past.scores[0].rmse, 1.25);
  EXPECT_TRUE(std::isnan(past.scores[0].log_density));
  EXPECT_TRUE(logged.empty());
  EXPECT_EQ(std::filesystem::status(file).permissions(),
            std::filesystem::perms::owner_read | std::filesystem::perms::owner_write);
}

TEST_F(AHistory, ForgetsRequestsAfterFourWeeksAndKeepsScores) {
  const auto ago = [](int days) { return to_text(utc_now() - std::chrono::days(days)); };
  const auto request = [&](int days) {
    return "{\"time\":\"" + ago(days) +
           "\",\"kind\":\"fit\",\"asker\":\"a\",\"outcome\":\"done\",\"reason\":\"\",\"seconds\":1}\n";
  };
  write(request(29) + request(27) + "{\"time\":\"" + ago(400) +
        "\",\"version\":1,\"rows\":5,\"rmse\":2,\"log_density\":-1}\n");
  opened();
  const Past past = read_history(file);
  EXPECT_EQ(past.requests.size(), 1u);
  EXPECT_EQ(past.scores.size(), 1u);
  EXPECT_EQ(content(file).find(ago(29).substr(0, 10)), std::string::npos);
}

TEST_F(AHistory, ALineThatACrashHasTornHarmsNoOther) {
  opened().add({.kind = "fit", .asker = "a", .outcome = "done"});
  write("{\"time\":\"2026-");
  History again = opened();
  again.add({.kind = "fit", .asker = "b", .outcome = "done"});
  write("\n[]\nnull\n{\"time\":7}\n\xff\n");
  const Past past = read_history(file);
  ASSERT_EQ(past.requests.size(), 2u);
  EXPECT_EQ(past.requests[1].request.asker, "b");
}

TEST_F(AHistory, NeverGrowsWithoutBound) {
  History history = opened();
  for (int k = 0; k < 7'000; ++k)
    history.add({.kind = "fit", .asker = std::to_string(k), .outcome = "refused", .reason = "no"});
  const Past past = read_history(file);
  EXPECT_EQ(past.requests.size(), 5'000u);
  EXPECT_EQ(past.requests.back().request.asker, "6999");
  const std::string text = content(file);
  EXPECT_LE(std::count(text.begin(), text.end(), '\n'), 6'000);
}

TEST_F(AHistory, AFailedWriteIsReportedAndHarmsNothing) {
  History history({folder.path / "no" / "such" / "folder"},
                  [this](LogLevel, const std::string& words) { logged.push_back(words); });
  history.add({.kind = "fit", .asker = "a", .outcome = "done"});
  EXPECT_EQ(logged.size(), 1u);
}

}  // namespace
}  // namespace tacit
