#include "tacit/base/files.hpp"

#include <gtest/gtest.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <fstream>
#include <iterator>
#include <string>

#include "tacit/base/error.hpp"

namespace tacit {
namespace {

class Files : public ::testing::Test {
 protected:
  void SetUp() override {
    std::string name = (std::filesystem::temp_directory_path() / "tacit-files-XXXXXX").string();
    ASSERT_NE(mkdtemp(name.data()), nullptr);
    folder = name;
  }
  void TearDown() override { std::filesystem::remove_all(folder); }
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

TEST_F(Files, SaysWhyAndLeavesNothingWhenItCannot) {
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

// A child that writes one of two texts over and over is interrupted at some moment: the file is one of them,
// and no other file lies about.
TEST_F(Files, AnInterruptLeavesWholeFilesOnly) {
  const std::string a(300'000, 'a'), b(200'000, 'b');
  write_whole(folder / "f", a);
  for (int round = 0; round < 20; ++round) {
    const pid_t child = fork();
    if (child == 0) {
      for (;;) {
        write_whole(folder / "f", b);
        write_whole(folder / "f", a);
      }
    }
    usleep(static_cast<useconds_t>(1000 + 700 * round));
    kill(child, SIGINT);
    int status = 0;
    waitpid(child, &status, 0);
    EXPECT_TRUE(WIFSIGNALED(status));
    const std::string now = content("f");
    EXPECT_TRUE(now == a || now == b) << now.size();
    EXPECT_EQ(entries(), 1u);
  }
}

}  // namespace
}  // namespace tacit
