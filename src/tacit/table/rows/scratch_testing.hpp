// Helpers for tests that read files.
#pragma once

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <cstddef>
#include <filesystem>
#include <fstream>
#include <string>
#include <string_view>
#include <vector>

#include "tacit/base/base_testing.hpp"
#include "tacit/table/gzip_testing.hpp"
#include "tacit/table/read_data.hpp"

namespace tacit::testing {

using Doubles = std::vector<double>;
using Strings = std::vector<std::string>;

/// A file that is removed at the end of the test.
class Scratch {
 public:
  explicit Scratch(std::string_view content, std::string_view ending = "csv")
      : path_(fmt::format("{}/tacit-table-{}-{}.{}", ::testing::TempDir(), getpid(), ++count_, ending)) {
    std::ofstream(path_, std::ios::binary) << content;
  }
  ~Scratch() { std::filesystem::remove(path_); }
  Scratch(const Scratch&) = delete;
  Scratch& operator=(const Scratch&) = delete;
  const std::filesystem::path& path() const { return path_; }

 private:
  static inline int count_ = 0;
  std::filesystem::path path_;
};

template <class T>
std::vector<T> copy(std::span<const T> values) {
  return {values.begin(), values.end()};
}

inline Strings copy(const TextColumn& texts) {
  Strings out;
  for (std::size_t row = 0; row < texts.size(); ++row) out.push_back(texts[row]);
  return out;
}

/// Returns the error of reading a file with this content, with the path replaced by FILE.
inline std::string fault_in(std::string_view content, const TableOptions& options = {},
                            const ReadOptions& how = {}) {
  const Scratch file(content);
  std::string message = error_of([&] { read_data(file.path(), options, how); });
  const std::string path = file.path().string();
  if (const auto at = message.find(path); at != message.npos) message.replace(at, path.size(), "FILE");
  return message;
}

inline std::string in_quotes(std::string_view text) {
  std::string quoted = "\"";
  for (const char c : text) quoted += c == '"' ? std::string("\"\"") : std::string(1, c);
  return quoted + '"';
}

}  // namespace tacit::testing
