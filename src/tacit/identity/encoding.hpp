// Text forms of keys, digests and signatures, and of TOML values.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace tacit {

/// Lower-case hexadecimal.
std::string hex(std::span<const std::byte> bytes);

/// Fills `out` from hexadecimal digits. False unless the text is exactly two digits for each byte.
bool from_hex(std::string_view text, std::span<std::byte> out);

/// "3f:9a:…", the usual form of certificate fingerprints.
std::string colons(std::span<const std::byte> bytes);

/// A basic TOML string with its quotes, escaped where needed.
std::string in_quotes(std::string_view text);

/// A number that reads back to the same bits. It has a point or an exponent, as TOML requires for reals.
std::string real(double value);

}  // namespace tacit
