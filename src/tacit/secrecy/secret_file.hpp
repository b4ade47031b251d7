// Secrets that are kept in files: keys, passwords.
#pragma once

#include <filesystem>
#include <string_view>

#include "tacit/secrecy/wiped.hpp"

namespace tacit {

using SecretText = LockedVector<char>;

/// A secret file, into memory that is wiped. Throws InputError, naming the file, when others than its owner
/// can read it or when it cannot be read; then it ends with `cure`.
SecretText read_secret(const std::filesystem::path& file, std::string_view cure = "check the path");

}  // namespace tacit
