// Files that are written whole or not at all.
#pragma once

#include <cstddef>
#include <filesystem>
#include <string>
#include <string_view>

namespace tacit {

/// Writes `text` to a file that has no name yet, flushes it, gives it its name and flushes the folder. So
/// nobody ever sees half a file, not even after a crash or Ctrl-C. On failure it throws Error, naming the
/// file and the reason, and leaves nothing behind. `mode` is that of the new file, which never has a wider
/// one while it is being written.
void write_whole(const std::filesystem::path& file, std::string_view text, unsigned mode = 0644);

/// Reads the whole file. Throws InputError, naming the file and the cure, when it does not exist, cannot be
/// read or is larger than `most` bytes.
std::string read_whole(const std::filesystem::path& file, std::size_t most = 64 << 20);

}  // namespace tacit
