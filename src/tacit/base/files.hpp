// Files that are there whole or not at all.
#pragma once

#include <filesystem>
#include <string_view>

namespace tacit {

/// Writes `text` under another name in the same folder and renames it at the end, so that a reader, a crash
/// or Ctrl-C never meets half a file; signals that would end the program wait meanwhile. Throws Error, naming
/// the file and the reason, and leaves nothing behind when it cannot.
void write_whole(const std::filesystem::path& file, std::string_view text);

}  // namespace tacit
