#include "tacit/cli/options/landmark_count.hpp"

#include <fmt/format.h>

#include <charconv>

#include "tacit/base/error.hpp"
#include "tacit/consortium/pool/draw_landmarks.hpp"

namespace tacit::cli {

LandmarkCount parse_landmarks(const std::string& text) {
  if (text == "auto") return {};
  std::size_t count = 0;
  const auto [end, failed] = std::from_chars(text.data(), text.data() + text.size(), count);
  if (failed != std::errc() || end != text.data() + text.size() || count > most_landmarks)
    throw InputError(
        fmt::format("--landmarks {}: give auto, or a whole number from 0 to {}", text, most_landmarks));
  return {count};
}

}  // namespace tacit::cli
