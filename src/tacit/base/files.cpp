#include "tacit/base/files.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <mutex>
#include <string>

#include "tacit/base/error.hpp"

namespace tacit {
namespace {

volatile std::sig_atomic_t arrived = 0;

// Ctrl-C and its kin, held back for the whole process (a mask would hold them on one thread only, and they
// would end the program through another) and raised again at the end.
class SignalsHeld {
 public:
  SignalsHeld() {
    arrived = 0;
    struct sigaction hold {};
    hold.sa_handler = [](int signal) { arrived = signal; };
    for (std::size_t k = 0; k < signals.size(); ++k) sigaction(signals[k], &hold, &before_[k]);
  }
  ~SignalsHeld() {
    for (std::size_t k = 0; k < signals.size(); ++k) sigaction(signals[k], &before_[k], nullptr);
    if (arrived != 0) std::raise(arrived);
  }
  SignalsHeld(const SignalsHeld&) = delete;

 private:
  static constexpr std::array signals{SIGINT, SIGTERM, SIGHUP, SIGQUIT};
  std::lock_guard<std::mutex> one_at_a_time_{guard};
  std::array<struct sigaction, signals.size()> before_{};
  static inline std::mutex guard;
};

bool write_all(int file, std::string_view text) {
  while (!text.empty()) {
    const ssize_t n = ::write(file, text.data(), text.size());
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) return false;
    text.remove_prefix(static_cast<std::size_t>(n));
  }
  return true;
}

}  // namespace

void write_whole(const std::filesystem::path& file, std::string_view text, unsigned mode) {
  const SignalsHeld held;
  std::string name = (file.parent_path() / ".").string();
  name.append(file.filename().string()).append(".XXXXXX");
  const int descriptor = mkostemp(name.data(), O_CLOEXEC);
  bool good = descriptor >= 0 && write_all(descriptor, text) && fchmod(descriptor, mode) == 0 &&
              fsync(descriptor) == 0;
  int reason = errno;
  if (descriptor >= 0 && ::close(descriptor) != 0 && good) {
    reason = errno;
    good = false;
  }
  if (good && std::rename(name.c_str(), file.c_str()) != 0) {
    reason = errno;
    good = false;
  }
  if (good) return;
  if (descriptor >= 0) ::unlink(name.c_str());
  throw Error("the file " + file.string() + " could not be written: " + std::strerror(reason));
}

std::string read_whole(const std::filesystem::path& file, std::size_t most) {
  const auto refuse = [&](const std::string& why) { throw InputError(file.string() + ": " + why); };
  std::error_code ignored;
  if (std::filesystem::is_directory(file, ignored)) refuse("this is a directory; name a file in it");
  const int descriptor = ::open(file.c_str(), O_RDONLY | O_CLOEXEC);
  if (descriptor < 0) {
    if (errno == ENOENT) refuse("there is no such file; check the path");
    refuse(std::string("the file cannot be read: ") + std::strerror(errno));
  }
  std::string text;
  std::array<char, 1 << 14> part;
  ssize_t n = 0;
  while ((n = ::read(descriptor, part.data(), part.size())) != 0) {
    if (n < 0 && errno == EINTR) continue;
    if (n < 0 || text.size() + static_cast<std::size_t>(n) > most) break;
    text.append(part.data(), static_cast<std::size_t>(n));
  }
  const int reason = errno;
  ::close(descriptor);
  if (n < 0) refuse(std::string("the file cannot be read: ") + std::strerror(reason));
  if (n > 0) refuse("the file is larger than " + std::to_string(most) + " bytes; is it the right one?");
  return text;
}

}  // namespace tacit
