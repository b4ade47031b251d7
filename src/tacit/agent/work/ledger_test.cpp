#include "tacit/agent/work/ledger.hpp"

#include <gtest/gtest.h>
#include <signal.h>
#include <sys/resource.h>

#include <nlohmann/json.hpp>

#include "tacit/agent/daemon/utc.hpp"
#include "tacit/base/system/files.hpp"
#include "tacit/identity/encoding.hpp"
#include "tacit/identity/identity_testing.hpp"
#include "tacit/secrecy/bytes.hpp"
#include "tacit/secrecy/signature.hpp"

namespace tacit {
namespace {

using namespace testing;

class Ledgers : public ::testing::Test {
 protected:
  ScratchFolder folder;
  std::filesystem::path file = folder.path / "ledger.jsonl";
  std::string log;
  std::uint64_t runs = 0;

  Ledger make(const std::string& charter = "c0ffee") { return {file, charter, sink()}; }
  LogSink sink() {
    return [this](LogLevel, const std::string& text) { log += text + '\n'; };
  }
  void run(Ledger& ledger, const std::string& kind, const Roster& roster, std::uint64_t opened,
           bool done = true) {
    LedgerLine began;
    began.run = std::to_string(++runs);
    began.asker = roster[0];
    began.kind = kind;
    began.roster = roster;
    began.points = kind == "predict" ? 5 : 0;
    LedgerEntry entry(
        ledger, began, [opened](LedgerLine& line) { line.opened = opened; }, sink());
    if (done) entry.done();
  }
  std::vector<LedgerLine> lines(LedgerState* state = nullptr) const {
    std::vector<LedgerLine> all;
    const LedgerState found = read_ledger(file, [&](const LedgerLine& line) { all.push_back(line); });
    if (state) *state = found;
    return all;
  }
  std::string broken() const { return read_ledger(file, {}).broken; }
};

TEST_F(Ledgers, RememberWhatBeganAndHowItEnded) {
  {
    Ledger ledger = make();
    run(ledger, "fit", {"a", "b", "c"}, 120);
    run(ledger, "predict", {"a", "b", "c"}, 10, false);
  }
  {
    Ledger ledger = make();  // a restart continues the ledger
    EXPECT_EQ(ledger.state().lines, 4u);
    run(ledger, "evaluate", {"b", "a", "c"}, 3);
  }
  LedgerState state;
  const auto all = lines(&state);
  ASSERT_EQ(all.size(), 6u);
  EXPECT_EQ(state.broken, "");
  EXPECT_EQ(state.lines, 6u);
  for (std::size_t k = 0; k < 6; ++k) {
    EXPECT_EQ(all[k].number, k + 1);
    EXPECT_EQ(all[k].event, k % 2 == 0 ? "began" : "ended");
    EXPECT_TRUE(parse_utc(all[k].time));
    EXPECT_EQ(all[k].charter, "c0ffee");
  }
  EXPECT_EQ(all[1].outcome, "done");
  EXPECT_EQ(all[1].opened, 120u);
  EXPECT_EQ(all[3].outcome, "failed");
  EXPECT_EQ(all[3].opened, 10u);
  EXPECT_EQ(all[3].points, 5u);
  EXPECT_EQ(all[4].asker, "b");
  EXPECT_EQ(all[4].roster, (Roster{"b", "a", "c"}));
  EXPECT_EQ(log, "");
  namespace fs = std::filesystem;
  EXPECT_EQ(fs::status(file).permissions(), fs::perms::owner_read | fs::perms::owner_write);
}

TEST_F(Ledgers, OfALaterReleaseAreLeftAsTheyAre) {
  {
    Ledger ledger = make();
    run(ledger, "fit", {"a", "b", "c"}, 120);
  }
  const std::string later = read_whole(file) + "{\"format\":2,\"other\":\"things\"}\n";
  write_whole(file, later);
  EXPECT_TRUE(says(refusal([&] { make(); }), "was written by a newer Tacit (format 2"));
  EXPECT_TRUE(says(refusal([&] { broken(); }), "was written by a newer Tacit (format 2"));
  EXPECT_EQ(read_whole(file), later);
}

// Lines of early releases have no format.
TEST_F(Ledgers, WithoutAFormatAreReadAsTheyWere) {
  std::string line =
      "{\"number\":1,\"time\":\"2026-11-16T03:08:54.123Z\",\"event\":\"continued\",\"words\":\"w\","
      "\"previous\":\"\"}";
  const std::string hash = hex(digest_of({bytes_of("tacit ledger"), bytes_of(line)}));
  line.pop_back();
  write_whole(file, line + ",\"hash\":\"" + hash + "\"}\n");
  EXPECT_EQ(broken(), "");
  EXPECT_EQ(lines().size(), 1u);
}

// Fits on the same rows add up over charters and rosters. A fit that opens the same numbers adds nothing.
TEST_F(Ledgers, AddUpWhatFitsOnTheSameRowsHaveOpened) {
  const auto fit = [&](Ledger& ledger, const std::string& rows, const std::string& content,
                       std::uint64_t opened, std::uint64_t held) {
    LedgerLine began;
    began.run = std::to_string(++runs);
    began.kind = "fit";
    began.rows = rows;
    LedgerEntry entry(
        ledger, began,
        [=](LedgerLine& line) {
          line.opened = opened;
          line.content = content;
        },
        sink());
    if (held == 0) return;
    entry.held(held);
    entry.done();
  };
  {
    Ledger ledger = make();
    fit(ledger, "mine", "one", 100, 1000);
    fit(ledger, "mine", "one", 100, 1000);
    EXPECT_EQ(ledger.opened_on("mine").opened, 100u);
    fit(ledger, "mine", "two", 150, 1000);
    fit(ledger, "mine", "part of two", 40, 0);  // failed after it had opened numbers
    run(ledger, "predict", {"a", "b", "c"}, 7);
  }
  Ledger ledger = make("another charter");
  fit(ledger, "mine", "part of two", 40, 0);
  EXPECT_EQ(ledger.opened_on("mine").opened, 100u + 150 + 40 + 40);
  EXPECT_EQ(ledger.opened_on("mine").held, 1000u);
  fit(ledger, "changed", "three", 5, 1100);
  EXPECT_EQ(ledger.opened_on("changed").opened, 5u);
  EXPECT_EQ(ledger.opened_on("changed").held, 1100u);
  EXPECT_EQ(ledger.opened_on("never seen").held, 0u);
  EXPECT_EQ(broken(), "");
}

// The agent or its machine crashed in a fit, after the other agents could open the sum.
TEST_F(Ledgers, CountAFitWhoseEndWasNeverWritten) {
  {
    Ledger ledger = make();
    LedgerLine line;
    line.event = "began";
    line.run = "1";
    line.kind = "fit";
    line.rows = "mine";
    ledger.add(line);
    EXPECT_EQ(ledger.opened_on("mine").opened, 0u);
    line.event = "opens";
    line.opened = 989;
    ledger.add(line);
  }
  Ledger ledger = make();  // after a restart
  EXPECT_EQ(ledger.opened_on("mine").opened, 989u);
  EXPECT_EQ(ledger.opened_on("others").opened, 0u);
  // A fit that ends counts once.
  LedgerLine second;
  second.run = "2";
  second.kind = "fit";
  second.rows = "mine";
  LedgerEntry(
      ledger, second, [](LedgerLine& line) { line.opened = 1000; }, sink())
      .opens(900);
  EXPECT_EQ(ledger.opened_on("mine").opened, 989u + 1000);
}

// "began" is on disk before the run continues.
TEST_F(Ledgers, ABeginningIsThereAtOnce) {
  Ledger ledger = make();
  LedgerLine began;
  began.kind = "fit";
  const LedgerEntry entry(
      ledger, began, [](LedgerLine&) {}, sink());
  EXPECT_EQ(lines().size(), 1u);
}

TEST_F(Ledgers, EveryChangeBreaksTheChain) {
  {
    Ledger ledger = make();
    for (int k = 0; k < 3; ++k) run(ledger, "predict", {"a", "b", "c"}, 10);
  }
  const std::string good = read_whole(file);
  EXPECT_EQ(broken(), "");
  std::vector<std::string> each;
  for (std::size_t from = 0; from < good.size(); from = good.find('\n', from) + 1)
    each.push_back(good.substr(from, good.find('\n', from) + 1 - from));
  ASSERT_EQ(each.size(), 6u);
  const auto without = [&](std::size_t k) {
    std::string text;
    for (std::size_t j = 0; j < each.size(); ++j)
      if (j != k) text += each[j];
    return text;
  };
  write_whole(file, without(0));
  EXPECT_TRUE(says(broken(), "line 1 is invalid: a line before it was changed or removed"));
  write_whole(file, without(2));
  EXPECT_TRUE(says(broken(), "line 3 is invalid"));
  std::string text = good;
  text.replace(text.find("\"opened\":10"), 11, "\"opened\":11");
  write_whole(file, text);
  EXPECT_TRUE(says(broken(), "line 2 is invalid: it was changed"));
  write_whole(file, each[0] + each[0]);
  EXPECT_TRUE(says(broken(), "line 2 is invalid"));
  write_whole(file, each[0] + "\n" + each[1]);
  EXPECT_TRUE(says(broken(), "line 2 is invalid"));
  write_whole(file, each[0] + "rubbish\n");
  EXPECT_TRUE(says(broken(), "line 2 is invalid"));
}

TEST_F(Ledgers, ABrokenOneIsSetAsideAndTheNewOneReportsIt) {
  {
    Ledger ledger = make();
    run(ledger, "fit", {"a", "b", "c"}, 10);
  }
  std::string text = read_whole(file);
  text.replace(text.find("\"asker\":\"a\""), 11, "\"asker\":\"b\"");
  write_whole(file, text);
  {
    Ledger ledger = make();
    run(ledger, "fit", {"a", "b", "c"}, 10);
    EXPECT_EQ(ledger.state().continued.size(), 1u);
  }
  EXPECT_TRUE(says(log, "line 1 is invalid"));
  EXPECT_EQ(read_whole(folder.path / "ledger.jsonl.broken-1"), text);
  LedgerState state;
  EXPECT_EQ(lines(&state).size(), 3u);
  EXPECT_EQ(state.broken, "");
  ASSERT_EQ(state.continued.size(), 1u);
  EXPECT_TRUE(says(state.continued[0], "renamed to ledger.jsonl.broken-1: line 1 is invalid"));
  EXPECT_EQ(make().state().continued.size(), 1u);  // also after another restart
}

// A file that cannot be read is not a broken one: it stays, and no run is recorded elsewhere.
TEST_F(Ledgers, OneThatCannotBeReadIsNotReplaced) {
  namespace fs = std::filesystem;
  fs::create_directories(file / "not a ledger");
  {
    Ledger ledger = make();
    EXPECT_TRUE(says(ledger.state().unusable, file.string() +
                                                  " cannot be read: it is not a file; without a ledger this "
                                                  "agent does not take part in runs"))
        << ledger.state().unusable;
    EXPECT_TRUE(says(log, ledger.state().unusable));
    EXPECT_THROW(run(ledger, "fit", {"a", "b", "c"}, 10), Error);
  }
  EXPECT_THROW(broken(), Error);
  EXPECT_TRUE(fs::exists(file / "not a ledger"));
  EXPECT_FALSE(fs::exists(folder.path / "ledger.jsonl.broken-1"));
  fs::remove_all(file);
  fs::create_symlink(file, file);  // no user can open it
  EXPECT_TRUE(says(make().state().unusable, "cannot be read: Too many levels of symbolic links"));
  EXPECT_TRUE(fs::is_symlink(file));
}

TEST_F(Ledgers, ATornLineIsPutAside) {
  {
    Ledger ledger = make();
    run(ledger, "fit", {"a", "b", "c"}, 10);
  }
  const std::string good = read_whole(file);
  for (const std::size_t left : {good.size() - 1, good.size() - 40, good.find('\n') + 5}) {
    write_whole(file, good.substr(0, left));
    const LedgerState state = read_ledger(file, {});
    EXPECT_TRUE(state.torn);
    EXPECT_EQ(state.broken, "");
    EXPECT_EQ(state.lines, 1u);
    log.clear();
    {
      Ledger ledger = make();
      EXPECT_FALSE(ledger.state().torn);
      run(ledger, "fit", {"a", "b", "c"}, 10);
    }
    EXPECT_TRUE(says(log, "as after a crash"));
    EXPECT_EQ(broken(), "");
    EXPECT_EQ(lines().size(), 3u);
  }
  EXPECT_EQ(read_whole(folder.path / "ledger.jsonl.torn-1"),
            good.substr(good.find('\n') + 1, good.size() - good.find('\n') - 2));
}

TEST_F(Ledgers, NothingHappensWithoutALine) {
  {
    Ledger nowhere("/nowhere/ledger.jsonl", "", sink());
    EXPECT_TRUE(
        says(nowhere.state().unusable, "the ledger /nowhere/ledger.jsonl cannot be opened: No such file"))
        << nowhere.state().unusable;
    EXPECT_THROW(run(nowhere, "fit", {"a", "b", "c"}, 10), Error);
  }
  // On a full disk, no incomplete line remains.
  Ledger ledger = make();
  run(ledger, "fit", {"a", "b", "c"}, 10);
  ::signal(SIGXFSZ, SIG_IGN);
  rlimit before{}, small{};
  ::getrlimit(RLIMIT_FSIZE, &before);
  small = before;
  small.rlim_cur = std::filesystem::file_size(file) + 20;
  ::setrlimit(RLIMIT_FSIZE, &small);
  EXPECT_THROW(run(ledger, "fit", {"a", "b", "c"}, 10), Error);
  ::setrlimit(RLIMIT_FSIZE, &before);
  ::signal(SIGXFSZ, SIG_DFL);
  run(ledger, "fit", {"a", "b", "c"}, 10);
  LedgerState state;
  EXPECT_EQ(lines(&state).size(), 4u);
  EXPECT_EQ(state.broken, "");
}

TEST_F(Ledgers, TwoRostersAreDescribedInWords) {
  Ledger ledger = make();
  run(ledger, "fit", {"aachen", "bonn", "celle", "dresden"}, 10);
  run(ledger, "predict", {"aachen", "bonn", "celle", "dresden"}, 10);
  EXPECT_TRUE(ledger.what_rosters_show().empty());
  run(ledger, "fit", {"aachen", "bonn", "celle"}, 0, false);  // it ended before any number was opened
  EXPECT_TRUE(ledger.what_rosters_show().empty());
  run(ledger, "fit", {"aachen", "bonn", "celle"}, 4, false);
  ASSERT_EQ(ledger.what_rosters_show().size(), 1u);
  EXPECT_EQ(
      ledger.what_rosters_show()[0],
      "Models of this charter were fitted with and without dresden. Anyone who has both can subtract them "
      "to get sums over only dresden's rows.");
  EXPECT_EQ(make().what_rosters_show().size(), 1u);
  Ledger next = make("another charter");
  EXPECT_TRUE(next.what_rosters_show().empty());
  run(next, "fit", {"aachen", "bonn", "celle", "essen"}, 10);
  ASSERT_EQ(next.what_rosters_show().size(), 1u);
  EXPECT_EQ(next.what_rosters_show()[0],
            "Under this charter and earlier ones, models were fitted with and without dresden and essen. "
            "Anyone who has both can subtract them. If the rows of the other members stayed the same, this "
            "gives sums over the rows of dresden and essen.");
}

TEST(Rosters, DifferencesBothWaysAreDifferences) {
  EXPECT_EQ(
      what_rosters_show({{"a", "b", "c", "d"}, {"a", "b", "e"}})[0],
      "Models of this charter were fitted with c and d and without e, and vice versa. Anyone who has both "
      "can subtract them to get the difference between sums over the rows of c and d together and over e's "
      "rows.");
  std::set<Roster> many;
  for (int k = 0; k < 8; ++k) many.insert({"a", "b", "c" + std::to_string(k)});
  EXPECT_EQ(what_rosters_show(many).size(), 10u);
}

// A fit that began but never ended may have opened numbers.
TEST_F(Ledgers, ACrashInAFitCounts) {
  {
    Ledger ledger = make();
    run(ledger, "fit", {"a", "b", "c", "d"}, 10);
    run(ledger, "fit", {"a", "b", "c"}, 0, false);
  }
  std::string text = read_whole(file);
  text.pop_back();
  text.resize(text.rfind('\n') + 1);  // without the last line
  write_whole(file, text);
  EXPECT_EQ(make().what_rosters_show().size(), 1u);
}

}  // namespace
}  // namespace tacit
