// Keys, digests and signatures as text, and values as TOML writes them.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace tacit {

/// Lower-case hexadecimal.
std::string hex(std::span<const std::byte> bytes);

/// Fills `out` from exactly twice as many hexadecimal digits; false for anything else.
bool from_hex(std::string_view text, std::span<std::byte> out);

/// "3f:9a:…", as certificates' fingerprints are read aloud.
std::string colons(std::span<const std::byte> bytes);

/// A basic TOML string with its quotes, escaped where needed.
std::string in_quotes(std::string_view text);

/// A number that reads back to the same bits, with a point or an exponent, as TOML wants of reals.
std::string real(double value);

}  // namespace tacit
