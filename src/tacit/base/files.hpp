// Files that are there whole or not at all.
#pragma once

#include <cstddef>
#include <filesystem>
#include <string>
#include <string_view>

namespace tacit {

/// Writes `text` to a file that has no name yet, flushes it, gives it its name and flushes the folder: a
/// reader, a crash or Ctrl-C never meets half a file. Throws Error, naming the file and the reason, and
/// leaves nothing behind when it cannot. `mode` is the new file's, and never wider while it is written.
void write_whole(const std::filesystem::path& file, std::string_view text, unsigned mode = 0644);

/// The whole file. Throws InputError, naming the file and the cure, when there is none, it cannot be read or
/// it is larger than `most` bytes.
std::string read_whole(const std::filesystem::path& file, std::size_t most = 64 << 20);

}  // namespace tacit
