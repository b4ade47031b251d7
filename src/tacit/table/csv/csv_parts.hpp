// Cuts a CSV file into parts, one for each process. A quoted cell may contain line breaks, so nearby bytes do
// not show where a row begins. But a byte lies inside quotes if and only if an odd number of quotes precedes
// it. So each process counts the quotes in its share of the bytes, the processes exchange the counts, and
// each finds the start of its first row.
#pragma once

#include <cstdint>
#include <filesystem>
#include <vector>

#include "tacit/table/read_options.hpp"

namespace tacit {

/// Returns whether a source can be cut: an uncompressed CSV file on a disk. Throws InputError if there is no
/// file.
bool can_be_cut(const std::filesystem::path& source);

/// The counts for one share of the bytes. There is one share for each process: of n bytes, share k of K
/// begins at nk/K.
struct ByteShare {
  std::uint64_t quotes = 0, lines = 0;  ///< lines that end in the share
};
ByteShare count_share(const std::filesystem::path& file, std::size_t share, std::size_t shares);

/// Returns where the rows of a share begin, given the counts of all shares: at the first row that begins in
/// it after a line break, or at the end of the file. Sets only the byte and the line.
FilePart start_of(const std::filesystem::path& file, std::size_t share, const std::vector<ByteShare>& counts);

}  // namespace tacit
