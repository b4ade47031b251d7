#include "tacit/protocol/tag.hpp"

#include <fmt/format.h>

namespace tacit {

std::string to_string(const Tag& tag) {
  if (tag.step == Step::roll)
    return fmt::format("roll of round {} from agent {}, run {}", tag.round, tag.about, tag.run);
  const char* step = tag.step == Step::share ? "share" : "masked value";
  return fmt::format("{} of round {} for aggregator {}, run {}", step, tag.round, tag.about, tag.run);
}

}  // namespace tacit
