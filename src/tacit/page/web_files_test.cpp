#include "tacit/page/web_files.hpp"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <sstream>

namespace tacit {
namespace {

namespace fs = std::filesystem;

TEST(WebFiles, AreThoseOfTheFolderToTheByte) {
  const fs::path built = TACIT_SOURCE_DIR "/web/built";
  if (!fs::exists(built)) GTEST_SKIP() << "web/built does not exist";
  std::size_t found = 0;
  for (const fs::directory_entry& entry : fs::recursive_directory_iterator(built)) {
    if (!entry.is_regular_file()) continue;
    std::ostringstream bytes;
    bytes << std::ifstream(entry.path(), std::ios::binary).rdbuf();
    EXPECT_EQ(web_file(entry.path().lexically_relative(built).generic_string()), bytes.str()) << entry.path();
    ++found;
  }
  EXPECT_GT(found, 0u);
}

TEST(WebFiles, ThereIsNothingElse) {
  for (const char* path : {"", "/", "nothing.html", "../package.json", "page", "page/", "/report.html"})
    EXPECT_TRUE(web_file(path).empty()) << path;
}

}  // namespace
}  // namespace tacit
