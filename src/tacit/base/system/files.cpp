#include "tacit/base/system/files.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <string>
#include <system_error>

#include "tacit/base/error.hpp"

namespace tacit {
namespace {

bool write_all(int file, std::string_view text) {
  while (!text.empty()) {
    const ssize_t n = ::write(file, text.data(), text.size());
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) return false;
    text.remove_prefix(static_cast<std::size_t>(n));
  }
  return true;
}

std::filesystem::path folder_of(const std::filesystem::path& file) {
  return file.has_parent_path() ? file.parent_path() : ".";
}

// A file during writing. It has no name yet, so that a killed program leaves nothing behind. On file systems
// without O_TMPFILE (NFS, FAT) it has a hidden name.
class NewFile {
 public:
  explicit NewFile(const std::filesystem::path& file) : file_(file.string()) {
    hidden_ = (folder_of(file) / ".").string().append(file.filename().string()).append(".new");
    if (::access("/proc/self/fd", X_OK) == 0)  // link() needs this folder
      descriptor_ = ::open(folder_of(file).c_str(), O_TMPFILE | O_WRONLY | O_CLOEXEC, 0600);
    if (descriptor_ >= 0) return;
    hidden_ += ".XXXXXX";
    descriptor_ = mkostemp(hidden_.data(), O_CLOEXEC);
    named_ = descriptor_ >= 0;
  }
  ~NewFile() {
    if (named_) ::unlink(hidden_.c_str());
    if (descriptor_ >= 0) ::close(descriptor_);
  }
  NewFile(const NewFile&) = delete;

  bool fill(std::string_view text, unsigned mode) const {
    return descriptor_ >= 0 && write_all(descriptor_, text) && fchmod(descriptor_, mode) == 0 &&
           fsync(descriptor_) == 0;
  }

  // Names the file, replacing any existing file of that name.
  bool publish() {
    if (!named_) {
      if (link(file_)) return true;
      // Replacing a file needs a name to rename from. The name is fixed, so that the next write replaces
      // what a killed program left behind.
      if (errno != EEXIST) return false;
      ::unlink(hidden_.c_str());
      named_ = link(hidden_);
      if (!named_) return false;
    }
    if (std::rename(hidden_.c_str(), file_.c_str()) != 0) return false;
    named_ = false;
    return true;
  }

 private:
  bool link(const std::string& name) const {
    const std::string self = "/proc/self/fd/" + std::to_string(descriptor_);
    return ::linkat(AT_FDCWD, self.c_str(), AT_FDCWD, name.c_str(), AT_SYMLINK_FOLLOW) == 0;
  }

  std::string file_, hidden_;
  int descriptor_ = -1;
  bool named_ = false;  // the file has the name hidden_
};

// Makes the names in a folder survive a power failure.
bool flush(const std::filesystem::path& folder) {
  const int descriptor = ::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (descriptor < 0) return errno == EACCES;                   // the folder may be writable but not readable
  const bool good = fsync(descriptor) == 0 || errno == EINVAL;  // EINVAL: not needed on this file system
  const int reason = errno;
  ::close(descriptor);
  errno = reason;
  return good;
}

}  // namespace

void write_whole(const std::filesystem::path& file, std::string_view text, unsigned mode) {
  const auto attempt = [&] {
    NewFile fresh(file);
    const bool good = fresh.fill(text, mode) && fresh.publish() && flush(folder_of(file));
    return good ? 0 : errno;
  };
  int reason = attempt();
  // Other writers of the same file use the same hidden name at the same time: try again.
  for (int more = 100; more > 0 && (reason == ENOENT || reason == EEXIST); --more) reason = attempt();
  if (reason)
    throw Error("the file " + file.string() +
                " could not be written: " + std::generic_category().message(reason));
}

std::string read_whole(const std::filesystem::path& file, std::size_t most) {
  const auto refuse = [&](const std::string& why) { throw InputError(file.string() + ": " + why); };
  std::error_code ignored;
  if (std::filesystem::is_directory(file, ignored)) refuse("this is a directory; name a file in it");
  const int descriptor = ::open(file.c_str(), O_RDONLY | O_CLOEXEC);
  if (descriptor < 0) {
    if (errno == ENOENT) refuse("there is no such file; check the path");
    refuse(std::string("the file cannot be read: ") + std::generic_category().message(errno));
  }
  std::string text;
  std::array<char, 1 << 14> part{};
  ssize_t n = 0;
  while ((n = ::read(descriptor, part.data(), part.size())) != 0) {
    if (n < 0 && errno == EINTR) continue;
    if (n < 0 || text.size() + static_cast<std::size_t>(n) > most) break;
    text.append(part.data(), static_cast<std::size_t>(n));
  }
  const int reason = errno;
  ::close(descriptor);
  if (n < 0) refuse(std::string("the file cannot be read: ") + std::generic_category().message(reason));
  if (n > 0)
    refuse("the file is larger than " + std::to_string(most) + " bytes; check that it is the right one");
  return text;
}

}  // namespace tacit
