#include "tacit/link/runs/journal.hpp"

#include <gtest/gtest.h>
#include <signal.h>
#include <sys/resource.h>

#include <fstream>

#include "tacit/identity/identity_testing.hpp"
#include "tacit/link/runs/journal.pb.h"

namespace tacit {
namespace {

using namespace testing;

std::span<const std::byte> bytes(const std::string& text) { return std::as_bytes(std::span(text)); }

std::string content(const std::filesystem::path& file) {
  std::ifstream in(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

std::string error_of(const std::function<void()>& work) {
  try {
    work();
  } catch (const Error& e) {
    return e.what();
  }
  return "";
}

TEST(Journal, TheSameLabelNeverGetsOtherBytes) {
  const ScratchFolder folder;
  Journal journal(folder.path, 1 << 20);
  journal.begin(random_name(), 0, 1);
  const Tag tag{0, 3, 1, Step::masked};
  journal.sending(1, tag, bytes("mask one"));
  journal.sending(1, tag, bytes("mask one"));  // sent again
  journal.sending(2, tag, bytes("mask two"));  // to another
  EXPECT_EQ(error_of([&] { journal.sending(1, tag, bytes("mask two")); }),
            "refused to send agent 1 two different messages under one label: masked value of round 3 for "
            "aggregator 1, run 0");
}

TEST(Journal, ARunIsNeverBegunTwiceNotEvenAfterARestart) {
  const ScratchFolder folder;
  const Name run = random_name();
  {
    Journal journal(folder.path, 1 << 20);
    journal.begin(run, 4, 17);
    EXPECT_TRUE(says(error_of([&] { journal.begin(run, 4, 17); }), "has already begun number 17"));
  }
  Journal restarted(folder.path, 1 << 20);
  EXPECT_EQ(restarted.last_of(4), 17u);
  EXPECT_EQ(restarted.last_of(3), 0u);
  EXPECT_TRUE(says(error_of([&] { restarted.begin(run, 4, 17); }), "replay of an old run"));
  EXPECT_TRUE(says(error_of([&] { restarted.begin(random_name(), 4, 16); }), "replay of an old run"));
  restarted.begin(random_name(), 4, 18);
}

TEST(Journal, NothingIsSentOutsideARun) {
  const ScratchFolder folder;
  Journal journal(folder.path, 1 << 20);
  EXPECT_EQ(error_of([&] { journal.sending(1, {}, bytes("x")); }), "a message cannot be sent outside a run");
}

TEST(Journal, IsCutButForgetsNoNumber) {
  const ScratchFolder folder;
  constexpr std::size_t most = 20'000;
  {
    Journal journal(folder.path, most);
    for (std::uint64_t number = 1; number <= 50; ++number) {
      journal.begin(random_name(), static_cast<AgentId>(number % 3), number);
      for (std::uint32_t round = 0; round < 100; ++round)
        journal.sending(1, {0, round, 1, Step::masked}, bytes(std::to_string(round)));
      EXPECT_LT(std::filesystem::file_size(folder.path / "journal"), most + 200);
    }
    EXPECT_LT(std::filesystem::file_size(folder.path / "journal.old"), most + 200);
  }
  const Journal restarted(folder.path, most);
  EXPECT_EQ(restarted.last_of(0), 48u);
  EXPECT_EQ(restarted.last_of(1), 49u);
  EXPECT_EQ(restarted.last_of(2), 50u);
}

TEST(Journal, AnEntryCutOffAtTheEndIsLeftOutAndDamageElsewhereRefused) {
  const ScratchFolder folder;
  {
    Journal journal(folder.path, 1 << 20);
    for (std::uint64_t number = 1; number <= 5; ++number) journal.begin(random_name(), 0, number);
  }
  const std::string whole = content(folder.path / "journal");
  const std::size_t entry = whole.size() / 5;
  for (std::size_t cut = 0; cut <= whole.size(); ++cut)
    EXPECT_EQ(numbers_in(bytes(whole.substr(0, cut)))[0], cut / entry) << "cut at " << cut;
  EXPECT_EQ(numbers_in(bytes(whole + std::string(5000, '\0')))[0], 5u) << "zeros after a power failure";
  for (std::size_t at = 0; at < whole.size() - entry; ++at) {
    std::string damaged = whole;
    damaged[at] = static_cast<char>(damaged[at] ^ 0x10);
    EXPECT_THROW((void)numbers_in(bytes(damaged)), Error) << "at " << at;
  }
  std::string damaged = whole;
  damaged[10] = static_cast<char>(damaged[10] ^ 1);
  std::ofstream(folder.path / "journal", std::ios::binary) << damaged;
  EXPECT_TRUE(says(error_of([&] { Journal(folder.path, 1 << 20); }), "cannot be used: it is damaged"));
}

TEST(Journal, ACrashInTheMiddleOfCuttingLosesNothing) {
  const ScratchFolder folder;
  {
    Journal journal(folder.path, 1 << 20);
    journal.begin(random_name(), 0, 7);
  }
  const std::string whole = content(folder.path / "journal");
  for (const std::string& fresh : {whole, whole.substr(0, 5), std::string()}) {
    folder.write("journal.old", whole);
    folder.write("journal.new", fresh);
    std::filesystem::remove(folder.path / "journal");
    EXPECT_EQ(Journal(folder.path, 1 << 20).last_of(0), 7u);
  }
}

// A journal in the format of a later release must not be rotated.
TEST(Journal, OfALaterReleaseIsLeftAsItIs) {
  const ScratchFolder folder;
  {
    Journal journal(folder.path, 1 << 20);
    journal.begin(random_name(), 0, 7);
  }
  journal::Record record;
  record.mutable_begun()->set_number(8);
  record.set_format(2);
  journal::Entry entry;
  entry.set_record(record.SerializeAsString());
  const Digest digest = digest_of({bytes(entry.record())});
  entry.set_check(digest.data(), 8);
  const std::string later =
      content(folder.path / "journal") + static_cast<char>(entry.ByteSizeLong()) + entry.SerializeAsString();
  folder.write("journal", later);
  EXPECT_TRUE(says(error_of([&] { Journal(folder.path, 1 << 20); }),
                   "this agent's journal was written by a newer Tacit (format 2"));
  EXPECT_EQ(content(folder.path / "journal"), later);
}

// A limit on the size of files has the effect of a full disk.
TEST(Journal, OnAFullDiskNothingBeginsAndNothingIsDamaged) {
  const ScratchFolder folder;
  {
    Journal journal(folder.path, 1 << 20);
    journal.begin(random_name(), 0, 7);
  }
  ::signal(SIGXFSZ, SIG_IGN);
  rlimit before{}, small{};
  ::getrlimit(RLIMIT_FSIZE, &before);
  const auto at_most = [&](rlim_t bytes) {
    small = before;
    small.rlim_cur = bytes;
    ::setrlimit(RLIMIT_FSIZE, &small);
  };
  at_most(10);
  {
    Journal journal(folder.path, 1 << 20);
    EXPECT_EQ(journal.last_of(0), 7u);
    EXPECT_TRUE(says(error_of([&] { journal.begin(random_name(), 0, 8); }), "cannot write the journal"));
    ::setrlimit(RLIMIT_FSIZE, &before);
    journal.begin(random_name(), 0, 8);  // as soon as there is room
    at_most(std::filesystem::file_size(folder.path / "journal") + 10);
    EXPECT_FALSE(error_of([&] { journal.begin(random_name(), 0, 9); }).empty());
    ::setrlimit(RLIMIT_FSIZE, &before);
    journal.begin(random_name(), 0, 9);
  }
  ::signal(SIGXFSZ, SIG_DFL);
  EXPECT_EQ(Journal(folder.path, 1 << 20).last_of(0), 9u);
}

TEST(Journal, BelongsToOneProcess) {
  const ScratchFolder folder;
  const Journal journal(folder.path, 1 << 20);
  EXPECT_TRUE(says(error_of([&] { Journal(folder.path, 1 << 20); }), "in use by another process"));
}

}  // namespace
}  // namespace tacit
