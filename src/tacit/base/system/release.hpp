// The release of this program, and the error for files written by later releases.
#pragma once

#include <cstdint>
#include <string>

#include "tacit/base/error.hpp"

namespace tacit {

/// Returns the release, such as "0.2.0".
std::string release();

/// A file was written by a later release. It must not be renamed or overwritten.
class NewerFormat : public InputError {
 public:
  /// `what` names the file in the message.
  NewerFormat(const std::string& what, std::uint64_t its, std::uint64_t ours);
};

/// Throws NewerFormat if `its`, the format of the file, is above `ours`, the highest that this program reads.
void check_format(const std::string& what, std::uint64_t its, std::uint64_t ours);

}  // namespace tacit
