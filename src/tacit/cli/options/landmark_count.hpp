// The value of --landmarks: auto, or a whole number.
#pragma once

#include <cstddef>
#include <optional>
#include <string>

namespace tacit::cli {

struct LandmarkCount {
  std::optional<std::size_t> count;  ///< none: as many as the rows allow
};

/// Throws InputError for other texts.
LandmarkCount parse_landmarks(const std::string& text);

}  // namespace tacit::cli
