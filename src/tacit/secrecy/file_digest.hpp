// Which file something rests on, to be told from others by anybody with sha256sum.
#pragma once

#include <filesystem>
#include <optional>
#include <string>

namespace tacit {

/// SHA-256 of the file's bytes in hexadecimal digits; none for what is no file that can be read.
std::optional<std::string> file_digest(const std::filesystem::path& file);

}  // namespace tacit
