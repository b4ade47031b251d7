// Helpers shared by the tests of all rooms.
#pragma once

#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>

#include "tacit/base/error.hpp"

namespace tacit::testing {

/// A temporary folder for one test, removed at the end.
class ScratchFolder {
 public:
  ScratchFolder() {
    std::string name = (std::filesystem::temp_directory_path() / "tacit-test-XXXXXX").string();
    if (!mkdtemp(name.data())) throw Error("the folder " + name + " could not be created");
    path = name;
  }
  ~ScratchFolder() { std::filesystem::remove_all(path); }
  ScratchFolder(const ScratchFolder&) = delete;
  ScratchFolder& operator=(const ScratchFolder&) = delete;

  std::filesystem::path write(const std::string& name, const std::string& text) const {
    std::ofstream(path / name, std::ios::binary) << text;
    return path / name;
  }
  std::filesystem::path path;
};

inline std::string content(const std::filesystem::path& file) {
  std::ifstream in(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

/// How often a test repeats what differs only in a seed: `usual` times, or `full` times if TACIT_LONG is set,
/// as scripts/deep does.
inline std::size_t repeats(std::size_t usual, std::size_t full) {
  return std::getenv("TACIT_LONG") ? full : usual;
}

/// Returns the message of the error that the work throws, or "" if it throws none. Errors of other kinds
/// propagate.
template <class Kind = InputError, class Work>
std::string error_of(Work&& work) {
  try {
    work();
  } catch (const Kind& error) {
    return error.what();
  }
  return "";
}

}  // namespace tacit::testing
