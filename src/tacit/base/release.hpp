// Which release of Tacit this is, and what it does with files of later ones.
#pragma once

#include <cstdint>
#include <string>

#include "tacit/base/error.hpp"

namespace tacit {

/// As "0.2.0".
std::string release();

/// A file that a later release has written. It must be left as it is: nobody may rename or overwrite it.
class NewerFormat : public InputError {
 public:
  /// `what` is the file, for people.
  NewerFormat(const std::string& what, std::uint64_t its, std::uint64_t ours);
};

/// Throws NewerFormat when `its` is above the highest format that this program reads.
void check_format(const std::string& what, std::uint64_t its, std::uint64_t ours);

}  // namespace tacit
