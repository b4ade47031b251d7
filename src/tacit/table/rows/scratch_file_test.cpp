#include "tacit/table/rows/scratch_file.hpp"

#include <gtest/gtest.h>
#include <sys/stat.h>

#include <numeric>

#include "tacit/base/base_testing.hpp"
#include "tacit/base/error.hpp"
#include "tacit/base/system/parallel.hpp"

namespace tacit {
namespace {

using testing::error_of;
using testing::ScratchFolder;

// The files in this folder that this process has open.
std::vector<struct stat> open_in(const std::filesystem::path& folder) {
  std::vector<struct stat> found;
  for (const auto& link : std::filesystem::directory_iterator("/proc/self/fd")) {
    std::error_code gone;
    const std::string target = std::filesystem::read_symlink(link.path(), gone).string();
    struct stat about {};
    if (!gone && target.starts_with(folder.string() + "/") && stat(link.path().c_str(), &about) == 0)
      found.push_back(about);
  }
  return found;
}

TEST(ScratchFile, GivesBackWhatWasAppendedToManyThreads) {
  const ScratchFolder folder;
  ScratchFile file(folder.path);
  std::vector<double> some(1000);
  constexpr std::size_t times = 300;  // more than is buffered in memory
  for (std::size_t k = 0; k < times; ++k) {
    std::iota(some.begin(), some.end(), 1000.0 * static_cast<double>(k));
    file.append(some);
  }
  EXPECT_EQ(file.size(), 1000 * times);
  file.flush();
  parallel_for(4, 1000, [&](std::size_t k) {
    std::vector<double> got(77);
    const std::size_t first = k * 299;
    file.read(first, got);
    for (std::size_t j = 0; j < got.size(); ++j) ASSERT_EQ(got[j], static_cast<double>(first + j));
  });
  std::vector<double> beyond(1);
  EXPECT_THROW(file.read(file.size(), beyond), Error);
}

TEST(ScratchFile, HasNoNameAndIsForItsOwnerAlone) {
  const ScratchFolder folder;
  {
    ScratchFile file(folder.path);
    file.append(std::vector<double>(10));
    file.flush();
    EXPECT_TRUE(std::filesystem::is_empty(folder.path));
    const auto found = open_in(folder.path);
    ASSERT_EQ(found.size(), 1u);
    EXPECT_EQ(found[0].st_nlink, 0u);
    EXPECT_EQ(found[0].st_mode & 0777u, 0600u);
    EXPECT_EQ(found[0].st_size, 80);
  }
  EXPECT_TRUE(open_in(folder.path).empty());
}

TEST(ScratchFile, ReportsWhereThereIsNoRoomAndHowMuchIsNeeded) {
  const ScratchFolder folder;
  const ScratchFile file(folder.path);
  file.expect(10);
  const std::string message = error_of([&] { file.expect(std::uint64_t{1} << 50); });
  for (const std::string& words :
       {folder.path.string(), std::string("need about 9007199254740992 bytes"), std::string("`scratch`")})
    EXPECT_NE(message.find(words), message.npos) << message;
  EXPECT_THROW(file.expect(std::uint64_t{1} << 50), InputError);
  EXPECT_THROW(ScratchFile(folder.path / "none"), InputError);
  EXPECT_NE(
      error_of([&] { ScratchFile(folder.path / "none"); }).find("/none: no scratch file can be created"),
      std::string::npos);
}

}  // namespace
}  // namespace tacit
