#include "tacit/base/system/files.hpp"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstdarg>
#include <fstream>
#include <functional>
#include <iterator>
#include <string>
#include <thread>
#include <vector>

#include "tacit/base/error.hpp"

namespace tacit {
namespace {

std::function<void(bool is_folder)> on_flush;  // called whenever something is flushed to the disk
bool nameless_files = true;                    // whether the file system supports O_TMPFILE

class Files : public ::testing::Test {
 protected:
  void SetUp() override {
    std::string name = (std::filesystem::temp_directory_path() / "tacit-files-XXXXXX").string();
    ASSERT_NE(mkdtemp(name.data()), nullptr);
    folder = name;
  }
  void TearDown() override {
    on_flush = nullptr;
    nameless_files = true;
    std::filesystem::remove_all(folder);
  }
  std::string content(const std::string& name) const {
    std::ifstream in(folder / name, std::ios::binary);
    return {std::istreambuf_iterator<char>(in), {}};
  }
  std::size_t entries() const {
    return static_cast<std::size_t>(std::distance(std::filesystem::directory_iterator(folder), {}));
  }
  std::filesystem::path folder;
};

TEST_F(Files, WritesAndReplaces) {
  write_whole(folder / "a.csv", "old, and longer");
  write_whole(folder / "a.csv", "new");
  EXPECT_EQ(content("a.csv"), "new");
  EXPECT_EQ(entries(), 1u);
}

TEST_F(Files, ReportsTheReasonAndLeavesNothingWhenItFails) {
  std::filesystem::create_directory(folder / "taken");
  std::filesystem::create_directory(folder / "taken" / "full");
  try {
    write_whole(folder / "taken", "text");
    FAIL() << "a folder was overwritten";
  } catch (const Error& e) {
    EXPECT_NE(std::string(e.what()).find("taken could not be written"), std::string::npos) << e.what();
  }
  EXPECT_EQ(entries(), 1u);
  EXPECT_THROW(write_whole(folder / "nowhere" / "a", ""), Error);
  EXPECT_THROW(write_whole(folder / "no-name" / "", ""), Error);
}

TEST_F(Files, ReadsBackWhatItWroteUpToALimit) {
  const std::string text = "a\0b" + std::string(100'000, 'x');
  write_whole(folder / "f", text, 0600);
  EXPECT_EQ(std::filesystem::status(folder / "f").permissions(),
            std::filesystem::perms::owner_read | std::filesystem::perms::owner_write);
  EXPECT_EQ(read_whole(folder / "f"), text);
  EXPECT_EQ(read_whole(folder / "f", text.size()), text);
  EXPECT_THROW(read_whole(folder / "f", text.size() - 1), InputError);
  EXPECT_THROW(read_whole(folder), InputError);
  EXPECT_THROW(read_whole(folder / "nothing"), InputError);
}

TEST_F(Files, IsKeptOnDiskTogetherWithItsName) {
  std::vector<std::string> flushed;
  on_flush = [&](bool is_folder) { flushed.push_back(is_folder ? "folder" : "file"); };
  write_whole(folder / "f", "text");
  EXPECT_EQ(flushed, (std::vector<std::string>{"file", "folder"}));
}

TEST_F(Files, LeavesTheSignalHandlersOfTheProgramAlone) {
  bool untouched = false;
  on_flush = [&](bool) {
    struct sigaction now {};
    sigaction(SIGINT, nullptr, &now);
    untouched = now.sa_handler == SIG_DFL;
  };
  write_whole(folder / "f", "text");
  EXPECT_TRUE(untouched);
}

// Writes in a child process that dies of SIGINT in the middle.
void interrupted(const std::filesystem::path& file) {
  const pid_t child = fork();
  if (child == 0) {
    on_flush = [](bool) { raise(SIGINT); };
    write_whole(file, "half of it");
    _exit(0);
  }
  int status = 0;
  waitpid(child, &status, 0);
  EXPECT_TRUE(WIFSIGNALED(status));
}

TEST_F(Files, AnInterruptLeavesOnlyCompleteFiles) {
  interrupted(folder / "f");
  EXPECT_EQ(entries(), 0u);
  write_whole(folder / "f", "old");
  interrupted(folder / "f");
  EXPECT_EQ(content("f"), "old");
  EXPECT_EQ(entries(), 1u);
}

TEST_F(Files, TheNextWriteTakesAwayWhatAKilledOneLeft) {
  write_whole(folder / "f", "old");
  write_whole(folder / ".f.new", "a program was killed just before it renamed this");
  write_whole(folder / "f", "new");
  EXPECT_EQ(content("f"), "new");
  EXPECT_EQ(entries(), 1u);
}

TEST_F(Files, WritersOfTheSameFileDoNotMixIt) {
  const std::string texts[] = {std::string(3000, 'a'), std::string(2000, 'b')};
  {
    std::vector<std::jthread> writers;
    for (const std::string& text : texts)
      writers.emplace_back([&, this] {
        for (int k = 0; k < 50; ++k) write_whole(folder / "f", text);
      });
  }
  EXPECT_TRUE(content("f") == texts[0] || content("f") == texts[1]);
  EXPECT_EQ(entries(), 1u);
}

TEST_F(Files, ServesFileSystemsWithoutNamelessFiles) {
  nameless_files = false;
  write_whole(folder / "f", "old, and longer");
  write_whole(folder / "f", "new", 0600);
  EXPECT_EQ(content("f"), "new");
  EXPECT_EQ(std::filesystem::status(folder / "f").permissions(),
            std::filesystem::perms::owner_read | std::filesystem::perms::owner_write);
  std::filesystem::create_directory(folder / "taken");
  EXPECT_THROW(write_whole(folder / "taken", "text"), Error);
  EXPECT_EQ(entries(), 2u);
}

}  // namespace
}  // namespace tacit

// These replace the C library's functions in this program.
extern "C" int fsync(int file) {
  struct stat about {};
  if (tacit::on_flush && fstat(file, &about) == 0) tacit::on_flush(S_ISDIR(about.st_mode));
  return static_cast<int>(syscall(SYS_fsync, file));
}

extern "C" int open(const char* path, int flags, ...) {
  if ((flags & O_TMPFILE) == O_TMPFILE && !tacit::nameless_files) {
    errno = EOPNOTSUPP;
    return -1;
  }
  unsigned mode = 0;
  if (flags & (O_CREAT | O_TMPFILE)) {
    va_list rest;
    va_start(rest, flags);
    mode = va_arg(rest, unsigned);
    va_end(rest);
  }
  return static_cast<int>(syscall(SYS_openat, AT_FDCWD, path, flags, mode));
}
