#include "tacit/base/system/descriptors.hpp"

#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>

namespace tacit {
namespace {

constexpr rlim_t most_descriptors = 65'536;  // more than any charter needs

}  // namespace

void Descriptor::reset(int number) {
  if (number_ >= 0) ::close(number_);
  number_ = number;
}

int descriptor_limit() {
  rlimit limit{};
  if (::getrlimit(RLIMIT_NOFILE, &limit) != 0) return 1024;  // the usual limit
  return static_cast<int>(std::min(limit.rlim_cur, most_descriptors));
}

void raise_descriptor_limit() {
  rlimit limit{};
  if (::getrlimit(RLIMIT_NOFILE, &limit) != 0) return;
  const rlim_t wanted = std::min(limit.rlim_max, most_descriptors);
  if (wanted <= limit.rlim_cur) return;
  limit.rlim_cur = wanted;
  ::setrlimit(RLIMIT_NOFILE, &limit);
}

}  // namespace tacit
