// A CSV file cut into parts that several processes read, each its own. Where a row begins cannot be told from
// its neighbourhood, as a quoted cell may have line breaks; but a place lies inside of quotes if and only if
// an odd number of quotes stands before it. So each process counts the quotes in its share of the bytes, all
// tell each other, and each finds where its first row begins.
#pragma once

#include <cstdint>
#include <filesystem>
#include <vector>

#include "tacit/table/read_options.hpp"

namespace tacit {

/// Whether a source is a file that can be cut: plain CSV, on a disk. Throws InputError if there is no file.
bool can_be_cut(const std::filesystem::path& source);

/// What one share of the bytes has, of which there are as many as processes: of n bytes the k-th of K begins
/// at nk/K.
struct ByteShare {
  std::uint64_t quotes = 0, lines = 0;  ///< lines: how many end in it
};
ByteShare count_share(const std::filesystem::path& file, std::size_t share, std::size_t shares);

/// Where the rows of a share begin, given all shares' counts: with the first row that begins in it after a
/// line break, or at the end of the file. Only the byte and the line are set.
FilePart start_of(const std::filesystem::path& file, std::size_t share, const std::vector<ByteShare>& counts);

}  // namespace tacit
