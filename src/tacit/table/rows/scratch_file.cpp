#include "tacit/table/rows/scratch_file.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <string>

#include "tacit/base/error.hpp"

namespace tacit {
namespace {

constexpr std::size_t most_waiting = std::size_t{1} << 17;  // a megabyte

std::filesystem::path chosen(std::filesystem::path folder) {
  if (!folder.empty()) return folder;
  std::error_code none;
  folder = std::filesystem::temp_directory_path(none);
  if (none) throw InputError("TMPDIR is not a folder; set it to a folder, or name one with `scratch`");
  return folder;
}

// Some file systems do not support files without a name. There the file is created with a name and unlinked.
int open_nameless(const std::filesystem::path& folder) {
  const int file = open(folder.c_str(), O_TMPFILE | O_RDWR | O_CLOEXEC | O_EXCL, 0600);
  if (file >= 0 || (errno != EOPNOTSUPP && errno != EISDIR && errno != EINVAL)) return file;
  std::string name = (folder / "tacit-XXXXXX").string();
  const int named = mkostemp(name.data(), O_CLOEXEC);  // mode 0600
  if (named >= 0) unlink(name.c_str());
  return named;
}

std::string megabytes(std::uint64_t bytes) {
  return fmt::format("{:.1f} MB", static_cast<double>(bytes) / 1e6);
}

}  // namespace

ScratchFile::ScratchFile(std::filesystem::path folder) : folder_(chosen(std::move(folder))) {
  file_ = open_nameless(folder_);
  if (file_ < 0)
    throw InputError(fmt::format(
        "{}: no scratch file can be created in this folder ({}); name another with `scratch`, or leave "
        "`stream` out",
        folder_.string(), std::strerror(errno)));
  waiting_.reserve(most_waiting);
}

ScratchFile::~ScratchFile() { close(file_); }

void ScratchFile::expect(std::uint64_t numbers) const {
  struct statvfs space {};
  if (fstatvfs(file_, &space) != 0) return;  // writing reports a lack of space later
  const std::uint64_t needed = numbers * sizeof(double),
                      free = std::uint64_t{space.f_bavail} * space.f_frsize;
  if (needed > free)
    throw InputError(
        fmt::format("{}: the rows need about {} bytes ({}) of scratch space, but only {} are free; free some "
                    "space, or name "
                    "another folder with `scratch`",
                    folder_.string(), needed, megabytes(needed), megabytes(free)));
}

void ScratchFile::append(std::span<const double> numbers) {
  waiting_.insert(waiting_.end(), numbers.begin(), numbers.end());
  if (waiting_.size() >= most_waiting) flush();
}

void ScratchFile::flush() {
  const char* next = reinterpret_cast<const char*>(waiting_.data());
  for (std::size_t left = waiting_.size() * sizeof(double); left > 0;) {
    const ssize_t done = write(file_, next, left);
    if (done < 0 && errno == EINTR) continue;
    if (done < 0)
      throw InputError(
          fmt::format("{}: the scratch file cannot grow ({}): the rows so far need {} bytes ({}); free some "
                      "space, or name "
                      "another folder with `scratch`",
                      folder_.string(), std::strerror(errno), size() * sizeof(double),
                      megabytes(size() * sizeof(double))));
    next += done;
    left -= static_cast<std::size_t>(done);
  }
  written_ += waiting_.size();
  waiting_.clear();
}

void ScratchFile::read(std::uint64_t first, std::span<double> into) const {
  char* next = reinterpret_cast<char*>(into.data());
  auto at = static_cast<off_t>(first * sizeof(double));
  for (std::size_t left = into.size_bytes(); left > 0;) {
    const ssize_t done = pread(file_, next, left, at);
    if (done < 0 && errno == EINTR) continue;
    if (done <= 0)
      throw Error(fmt::format("{}: the scratch file cannot be read ({}); check the disk and try again",
                              folder_.string(), done < 0 ? std::strerror(errno) : "it ends early"));
    next += done;
    at += done;
    left -= static_cast<std::size_t>(done);
  }
}

}  // namespace tacit
