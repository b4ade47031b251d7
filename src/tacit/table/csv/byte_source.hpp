// Reads the bytes of a file in blocks and unpacks gzip files. Knows nothing of tables.
#pragma once

#include <cstdint>
#include <cstdio>
#include <filesystem>
#include <memory>
#include <string>
#include <string_view>

namespace tacit {

/// Limits on what a gzip file may unpack to: up to `trusted` bytes are always allowed, more only up to
/// `ratio` times the packed size. Tables of numbers pack about four to one. A file that packs far better is
/// more likely an attempt to fill memory.
struct UnpackLimits {
  std::uint64_t trusted = std::uint64_t{256} << 20;
  std::uint64_t ratio = 200;
};

/// The file name that means standard input.
inline constexpr std::string_view standard_input = "-";
/// Returns the name of a file for messages.
std::string file_name(const std::filesystem::path& file);

class ByteSource {
 public:
  /// Opens the file, or standard input for `-`. The first bytes decide whether it is gzip, not the name.
  /// Throws InputError with the file's name if it is missing, a directory or unreadable, and for the faults
  /// that `next` reports.
  explicit ByteSource(const std::filesystem::path& file, const UnpackLimits& limits = {});
  ~ByteSource();
  ByteSource(const ByteSource&) = delete;
  ByteSource& operator=(const ByteSource&) = delete;

  /// Returns the first block. Valid until `next` is called.
  std::string_view peek() const { return block_; }

  /// Returns the next block, valid until the next call; empty at the end. Throws InputError with the file's
  /// name if a gzip file is truncated, damaged or unpacks beyond the limits.
  std::string_view next();

  /// Unpacks the rest of a gzip file and throws as `next` does if it is damaged. Does nothing for a plain
  /// file.
  void check_rest();

  /// Returns the length of the file, or 0 if it is unknown (a gzip file or a pipe).
  std::uint64_t size() const { return size_; }

 private:
  struct Unpacker;
  struct Close {
    void operator()(std::FILE* file) const { std::fclose(file); }
  };
  bool read_raw();
  std::string_view unpacked_block();

  std::string name_;
  UnpackLimits limits_;
  std::unique_ptr<std::FILE, Close> file_;
  std::string raw_;          // buffer for the bytes of the file
  std::string_view raw_in_;  // the part of the buffer that holds bytes
  std::uint64_t raw_total_ = 0;
  std::unique_ptr<Unpacker> unpacker_;  // null for a plain file
  std::string_view block_;
  bool first_ = true;
  std::uint64_t size_ = 0;
};

}  // namespace tacit
