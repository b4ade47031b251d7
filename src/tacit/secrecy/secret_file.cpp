#include "tacit/secrecy/secret_file.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <string>

#include "tacit/base/error.hpp"

namespace tacit {

SecretText read_secret(const std::filesystem::path& file, std::string_view cure) {
  const std::string name = file.string();
  const int descriptor = ::open(file.c_str(), O_RDONLY | O_CLOEXEC);
  if (descriptor < 0)
    throw InputError(fmt::format("{}: this secret cannot be read: {}; {}", name, std::strerror(errno), cure));
  struct stat info {};
  SecretText text;
  std::string problem;
  if (::fstat(descriptor, &info) != 0 || !S_ISREG(info.st_mode))
    problem = "this is not a regular file; check the path";
  else if (info.st_mode & 077)
    problem = fmt::format("other users can read this secret (mode {:o}); run chmod 600 {}",
                          info.st_mode & 0777, name);
  else if (info.st_uid != ::geteuid() && ::geteuid() != 0)
    problem = "this secret belongs to another user; make the user of this program its owner";
  else if (info.st_size > 1 << 16)
    problem = "this file is larger than 65536 bytes, too large for a secret; check the path";
  else {
    text.resize(static_cast<std::size_t>(info.st_size));
    std::size_t have = 0;
    for (ssize_t n = 1; have < text.size() && n > 0;
         have += static_cast<std::size_t>(std::max<ssize_t>(n, 0)))
      n = ::read(descriptor, text.data() + have, text.size() - have);
    if (have < text.size()) problem = "this secret could not be read completely; try again";
  }
  ::close(descriptor);
  if (!problem.empty()) throw InputError(name + ": " + problem);
  return text;
}

}  // namespace tacit
