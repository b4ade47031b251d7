// Atomic writing and size-limited reading of whole files.
#pragma once

#include <cstddef>
#include <filesystem>
#include <string>
#include <string_view>

namespace tacit {

/// Writes `text` to an unnamed file, flushes it, names it and flushes the folder. A half-written file is
/// never visible, even after a crash or Ctrl-C. The new file has permissions `mode`, and never wider ones
/// during writing. On failure it throws Error, naming the file and the reason, and leaves nothing behind.
void write_whole(const std::filesystem::path& file, std::string_view text, unsigned mode = 0644);

/// Returns the content of the file. Throws InputError, naming the file and the remedy, if the file does not
/// exist, cannot be read or is larger than `most` bytes.
std::string read_whole(const std::filesystem::path& file, std::size_t most = 64 << 20);

}  // namespace tacit
