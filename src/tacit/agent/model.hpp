// What an agent saves of a fit: the result, with a version.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>

#include "tacit/consortium/fitted.hpp"

namespace tacit {

struct FittedModel : Fitted {
  std::uint64_t version = 0;  ///< counted by whoever asked for the fit
  std::string fit;        ///< hexadecimal name of the fit; agents with different ones do not predict together
  std::string charter;    ///< the charter's hash in hexadecimal
  std::string fitted_at;  ///< UTC, for people
  std::string originator;  ///< who asked
};

/// JSON with a checksum, which reads back to the same bits. Reading throws InputError, naming the file, for
/// one that was cut off, changed or made for another charter than `charter` (a hash in hexadecimal).
std::string to_text(const FittedModel& model);
FittedModel model_from(const std::string& file, const std::string& text, const std::string& charter);

}  // namespace tacit
