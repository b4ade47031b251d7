#include "tacit/secrecy/file_digest.hpp"

#include <gtest/gtest.h>

#include <fstream>

namespace tacit {
namespace {

// The expected digests are those that sha256sum prints.
TEST(FileDigest, IsThatOfCommonTools) {
  const auto file = std::filesystem::path(::testing::TempDir()) / "file_digest";
  std::ofstream(file) << "abc";
  EXPECT_EQ(file_digest(file), "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
  std::ofstream(file) << std::string(1'000'000, 'a');  // many parts
  EXPECT_EQ(file_digest(file), "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0");
  std::ofstream(file, std::ios::trunc).flush();
  EXPECT_EQ(file_digest(file), "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
  std::filesystem::remove(file);
}

TEST(FileDigest, OnlyFilesHaveOne) {
  EXPECT_EQ(file_digest("postgresql://somebody@somewhere/rows"), std::nullopt);
  EXPECT_EQ(file_digest(::testing::TempDir()), std::nullopt);
}

}  // namespace
}  // namespace tacit
