// Reads secrets, such as keys and passwords, from files that only their owner can read.
#pragma once

#include <filesystem>
#include <string_view>

#include "tacit/secrecy/wiped.hpp"

namespace tacit {

using SecretText = LockedVector<char>;

/// Returns the content of a secret file in locked memory. Throws InputError, naming the file, if the file
/// cannot be read, is too large, belongs to another user or can be read by other users. If it cannot be
/// opened, the message ends with `cure`.
SecretText read_secret(const std::filesystem::path& file, std::string_view cure = "check the path");

}  // namespace tacit
