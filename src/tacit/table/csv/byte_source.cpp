#include "tacit/table/csv/byte_source.hpp"

#include <fmt/format.h>
#include <unistd.h>
#include <zlib.h>

#include <cerrno>
#include <new>
#include <system_error>
#include <utility>

#include "tacit/base/error.hpp"

namespace tacit {
namespace {

constexpr std::size_t block_size = std::size_t{1} << 20;

InputError unreadable(const std::string& name, int error) {
  return InputError(fmt::format(
      "{}: the file cannot be read ({}); check that it is a regular file and that you may read it.", name,
      std::generic_category().message(error)));
}

std::FILE* open(const std::filesystem::path& file, const std::string& name) {
  if (file == standard_input) {
    if (std::FILE* opened = ::fdopen(::dup(STDIN_FILENO), "rb")) return opened;
    throw unreadable(name, errno);
  }
  std::error_code ignored;
  if (std::filesystem::is_directory(file, ignored))
    throw InputError(fmt::format("{}: this is a directory; name a data file in it.", name));
  if (std::FILE* opened = std::fopen(file.c_str(), "rb")) return opened;
  if (errno == ENOENT) throw InputError(fmt::format("{}: there is no such file; check the path.", name));
  throw unreadable(name, errno);
}

}  // namespace

// The state of zlib. A gzip file is a sequence of members, each with a checksum at its end.
struct ByteSource::Unpacker {
  z_stream stream{};
  std::string out = std::string(block_size, '\0');
  std::uint64_t total = 0;
  bool in_member = false;

  Unpacker() {
    constexpr int gzip_with_the_largest_window = 15 + 16;
    if (inflateInit2(&stream, gzip_with_the_largest_window) != Z_OK) throw std::bad_alloc();
  }
  ~Unpacker() { inflateEnd(&stream); }
  Unpacker(const Unpacker&) = delete;
};

std::string file_name(const std::filesystem::path& file) {
  return file == standard_input ? "standard input" : file.string();
}

ByteSource::ByteSource(const std::filesystem::path& file, const UnpackLimits& limits)
    : name_(file_name(file)), limits_(limits), file_(open(file, name_)), raw_(block_size, '\0') {
  read_raw();
  if (raw_in_.starts_with("\x1F\x8B")) {
    unpacker_ = std::make_unique<Unpacker>();
    block_ = unpacked_block();
  } else {
    block_ = raw_in_;
    std::error_code unknown;
    const auto size = std::filesystem::file_size(file, unknown);
    if (!unknown) size_ = size;
  }
}

ByteSource::~ByteSource() = default;

bool ByteSource::read_raw() {
  const std::size_t size = std::fread(raw_.data(), 1, raw_.size(), file_.get());
  if (std::ferror(file_.get())) throw unreadable(name_, errno);
  raw_in_ = std::string_view(raw_).substr(0, size);
  raw_total_ += size;
  return size > 0;
}

std::string_view ByteSource::next() {
  if (!std::exchange(first_, false)) {
    if (unpacker_) {
      block_ = unpacked_block();
    } else {
      block_ = read_raw() ? raw_in_ : std::string_view();
    }
  }
  return block_;
}

void ByteSource::check_rest() {
  while (unpacker_ && !next().empty()) {
  }
}

std::string_view ByteSource::unpacked_block() {
  Unpacker& u = *unpacker_;
  z_stream& z = u.stream;
  z.next_out = reinterpret_cast<Bytef*>(u.out.data());
  z.avail_out = static_cast<uInt>(u.out.size());
  while (z.avail_out > 0) {
    if (raw_in_.empty() && !read_raw()) {
      if (!u.in_member) break;
      throw InputError(fmt::format(
          "{}: the gzip file is truncated, so rows are missing; copy it or compress it again.", name_));
    }
    if (!std::exchange(u.in_member, true)) inflateReset(&z);
    z.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(raw_in_.data()));
    z.avail_in = static_cast<uInt>(raw_in_.size());
    const int result = inflate(&z, Z_NO_FLUSH);
    raw_in_.remove_prefix(raw_in_.size() - z.avail_in);
    if (result == Z_STREAM_END) {
      u.in_member = false;
    } else if (result == Z_MEM_ERROR) {
      throw std::bad_alloc();
    } else if (result != Z_OK && result != Z_BUF_ERROR) {
      throw InputError(fmt::format("{}: the gzip file is damaged ({}); copy it or compress it again.", name_,
                                   z.msg ? z.msg : "not gzip throughout"));
    }
  }
  const std::size_t size = u.out.size() - z.avail_out;
  u.total += size;
  const std::uint64_t packed = raw_total_ - raw_in_.size();
  if (u.total > limits_.trusted && u.total / limits_.ratio > packed)
    throw InputError(
        fmt::format("{}: the gzip file unpacks to more than {} times its size, unlike an ordinary table; "
                    "if you trust the file, unpack it and name the unpacked file.",
                    name_, limits_.ratio));
  return std::string_view(u.out).substr(0, size);
}

}  // namespace tacit
