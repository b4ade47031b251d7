// Bytes as libsodium takes them, which counts in unsigned char. For secrecy's own files.
#pragma once

#include <cstddef>
#include <span>

namespace tacit {

inline unsigned char* to(std::span<std::byte> bytes) {
  return reinterpret_cast<unsigned char*>(bytes.data());
}
inline const unsigned char* from(std::span<const std::byte> bytes) {
  return reinterpret_cast<const unsigned char*>(bytes.data());
}

}  // namespace tacit
