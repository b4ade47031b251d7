#include "tacit/base/system/release.hpp"

namespace tacit {

std::string release() { return TACIT_VERSION; }

NewerFormat::NewerFormat(const std::string& what, std::uint64_t its, std::uint64_t ours)
    : InputError(what + " was written by a newer Tacit (format " + std::to_string(its) + ", this program, " +
                 release() + ", reads up to " + std::to_string(ours) + "); install the newer release") {}

void check_format(const std::string& what, std::uint64_t its, std::uint64_t ours) {
  if (its > ours) throw NewerFormat(what, its, ours);
}

}  // namespace tacit
