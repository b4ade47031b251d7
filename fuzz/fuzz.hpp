// Helpers shared by the targets.
#pragma once

#include <sys/mman.h>
#include <unistd.h>

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <string>
#include <string_view>

#include "tacit/base/error.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size);

namespace tacit::fuzz {

inline std::string_view text_of(const std::uint8_t* data, std::size_t size) {
  return {reinterpret_cast<const char*>(data), size};
}

/// Runs code that may refuse the input by an Error. Any other failure is a bug.
template <class Read>
void refusable(Read&& read) {
  try {
    read();
  } catch (const Error&) {
  }
}

/// Returns the path of a file in memory with these bytes. The next call overwrites the file.
inline std::filesystem::path file_of(std::string_view bytes) {
  static const int file = ::memfd_create("fuzz", MFD_CLOEXEC);
  if (::ftruncate(file, 0) != 0 || ::pwrite(file, bytes.data(), bytes.size(), 0) != ssize_t(bytes.size()))
    std::abort();
  return "/proc/self/fd/" + std::to_string(file);
}

/// Traps unless the condition holds. It must hold for every input.
inline void must(bool holds) {
  if (!holds) __builtin_trap();
}

}  // namespace tacit::fuzz
