// Converts between std::byte and the unsigned char of libsodium. Internal to this room.
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
