// Values as bytes, for hashing and sending.
#pragma once

#include <cstddef>
#include <cstring>
#include <span>
#include <string_view>
#include <type_traits>

namespace tacit {

using ByteSpan = std::span<const std::byte>;

template <class T>
requires std::is_trivially_copyable_v<T> &&
    (!std::is_convertible_v<const T&, std::string_view>)std::span<const std::byte> bytes_of(const T& value) {
  return std::as_bytes(std::span(&value, 1));
}
inline std::span<const std::byte> bytes_of(std::string_view text) { return std::as_bytes(std::span(text)); }

/// Returns the value at the start of `bytes`, which must be long enough.
template <class T>
T value_at(std::span<const std::byte> bytes) {
  T value{};
  std::memcpy(&value, bytes.data(), sizeof value);
  return value;
}

}  // namespace tacit
