#include "tacit/table/csv/byte_source.hpp"

#include <gtest/gtest.h>

#include "tacit/table/rows/scratch_testing.hpp"

namespace tacit {
namespace {

using testing::error_of;
using testing::fault_in;
using testing::gzipped;
using testing::Scratch;

std::string all_of(ByteSource& source) {
  std::string all;
  for (auto block = source.next(); !block.empty(); block = source.next()) all += block;
  return all;
}

std::string numbered_lines(int count) {
  std::string text = "x,y\n";
  for (int i = 0; i < count; ++i) text += fmt::format("{},{}\n", i, 0.37 * i);
  return text;
}

TEST(ByteSource, GivesTheSameBytesPlainAndPacked) {
  for (const int lines : {0, 1, 200'000}) {
    const std::string text = numbered_lines(lines);
    const Scratch plain(text), packed(gzipped(text));
    ByteSource a(plain.path()), b(packed.path());
    EXPECT_EQ(a.size(), text.size());
    EXPECT_EQ(b.size(), 0u);
    EXPECT_TRUE(text.starts_with(a.peek()));
    EXPECT_EQ(a.peek(), b.peek());
    EXPECT_EQ(all_of(a), text);
    EXPECT_EQ(all_of(b), text);
    EXPECT_TRUE(b.next().empty());
  }
}

TEST(ByteSource, ReadsEveryMemberOfAGzipFile) {
  const Scratch file(gzipped("a,b\n1,") + gzipped("") + gzipped("2\n"));
  ByteSource source(file.path());
  EXPECT_EQ(all_of(source), "a,b\n1,2\n");
}

TEST(ByteSource, RefusesAGzipFileThatIsCutAnywhere) {
  const std::string packed = gzipped(numbered_lines(100));
  for (std::size_t size = 2; size < packed.size(); ++size)
    ASSERT_EQ(fault_in(packed.substr(0, size)),
              "FILE: the gzip file is truncated, so rows are missing; copy it or compress it again.")
        << size;
}

// The file is refused as damaged whichever bit is wrong, even if invalid rows are read first. A few bits have
// no meaning; changing them is harmless.
TEST(ByteSource, RefusesADamagedGzipFile) {
  const std::string text = numbered_lines(100), packed = gzipped(text);
  std::size_t harmless = 0;
  for (std::size_t at = 10; at < packed.size(); ++at) {
    std::string damaged = packed;
    damaged[at] = static_cast<char>(damaged[at] ^ 0x10);
    const std::string message = fault_in(damaged);
    if (message.empty()) {
      const Scratch file(damaged);
      ByteSource source(file.path());
      ASSERT_EQ(all_of(source), text) << at;
      ++harmless;
      continue;
    }
    ASSERT_TRUE(message.starts_with("FILE: the gzip file is damaged (") ||
                message.starts_with("FILE: the gzip file is truncated"))
        << at << ": " << message;
  }
  EXPECT_LE(harmless, 1u);
  const std::string message = fault_in(packed + "and more");
  EXPECT_TRUE(message.starts_with("FILE: the gzip file is damaged (")) << message;
}

TEST(ByteSource, DamageIsSaidRatherThanTheRowsItMakesStrange) {
  std::string wrapped = gzipped(numbered_lines(200'000), 0);
  wrapped[5000] = 'x';
  EXPECT_EQ(fault_in(wrapped),
            "FILE: the gzip file is damaged (incorrect data check); copy it or compress it again.");
}

TEST(ByteSource, StopsUnpackingBeyondReason) {
  const std::string zeros(std::size_t{4} << 20, '0');
  const Scratch bomb(gzipped(zeros));
  const UnpackLimits limits{.trusted = std::uint64_t{2} << 20, .ratio = 200};
  EXPECT_NE(error_of([&] {
              ByteSource source(bomb.path(), limits);
              all_of(source);
            }).find("unpacks to more than 200 times its size"),
            std::string::npos);
  ByteSource trusted(bomb.path(), {.trusted = zeros.size(), .ratio = 200});
  EXPECT_EQ(all_of(trusted).size(), zeros.size());
  const Scratch honest(gzipped(numbered_lines(300'000)));
  ByteSource allowed(honest.path(), limits);
  EXPECT_GT(all_of(allowed).size(), limits.trusted);
}

TEST(ByteSource, ARowWithoutEndIsRefused) {
  const std::string text = "a,b\n1,\"" + std::string(std::size_t{65} << 20, 'x');
  EXPECT_EQ(
      fault_in(gzipped(text)),
      "FILE, line 2: the row is longer than 64 MiB; a closing quote may be missing, or this is not a table.");
}

}  // namespace
}  // namespace tacit
