// Digests that identify a file. They can be verified with sha256sum.
#pragma once

#include <filesystem>
#include <optional>
#include <string>

namespace tacit {

/// Returns the SHA-256 of the file's content in hexadecimal digits, or nothing if `file` is not a readable
/// regular file.
std::optional<std::string> file_digest(const std::filesystem::path& file);

}  // namespace tacit
