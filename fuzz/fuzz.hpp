// What the targets share.
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

/// Reads something that may be refused with an error for people. Anything else that goes wrong is a fault.
template <class Read>
void refusable(Read&& read) {
  try {
    read();
  } catch (const Error&) {
  }
}

/// A file in memory that holds these bytes, for readers that want a path. The next call writes it anew.
inline std::filesystem::path file_of(std::string_view bytes) {
  static const int file = ::memfd_create("fuzz", MFD_CLOEXEC);
  if (::ftruncate(file, 0) != 0 || ::pwrite(file, bytes.data(), bytes.size(), 0) != ssize_t(bytes.size()))
    std::abort();
  return "/proc/self/fd/" + std::to_string(file);
}

/// For what holds whatever the input is.
inline void must(bool holds) {
  if (!holds) __builtin_trap();
}

}  // namespace tacit::fuzz
