// The bytes of a file in blocks, unpacked on the way when the file is gzip.
#pragma once

#include <cstdint>
#include <cstdio>
#include <filesystem>
#include <memory>
#include <string>
#include <string_view>

namespace tacit {

/// What a gzip file may unpack to: any amount up to `trusted` bytes, and beyond that `ratio` times its
/// own size. Tables of numbers pack about four to one; a file that packs far better was more likely made
/// to fill memory.
struct UnpackLimits {
  std::uint64_t trusted = std::uint64_t{256} << 20;
  std::uint64_t ratio = 200;
};

/// The name of a file that stands for standard input, and what messages call it.
inline constexpr std::string_view standard_input = "-";
std::string file_name(const std::filesystem::path& file);

class ByteSource {
 public:
  /// Opens the file, or standard input for `-`, and looks at its first bytes, which show whether it is gzip,
  /// whatever its name. Throws InputError naming the file when it is missing, a directory or cannot be read,
  /// as `next` does.
  explicit ByteSource(const std::filesystem::path& file, const UnpackLimits& limits = {});
  ~ByteSource();
  ByteSource(const ByteSource&) = delete;
  ByteSource& operator=(const ByteSource&) = delete;

  /// The first block; always the same one until `next` is called.
  std::string_view peek() const { return block_; }

  /// The next block, which lives until the next call; empty at the end. Throws InputError naming the file
  /// when gzip is cut off, damaged or unpacks beyond the limits.
  std::string_view next();

  /// Unpacks the rest of a gzip file to see that it is sound, throwing as `next` does; leaves a
  /// plain file alone.
  void check_rest();

  /// How long the file is, or 0 when that is not known: it is packed, or a pipe.
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
  std::string raw_;          // as it is in the file
  std::string_view raw_in_;  // the part of it that was read
  std::uint64_t raw_total_ = 0;
  std::unique_ptr<Unpacker> unpacker_;  // none for a plain file
  std::string_view block_;
  bool first_ = true;
  std::uint64_t size_ = 0;
};

}  // namespace tacit
