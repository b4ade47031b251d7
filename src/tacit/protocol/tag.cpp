#include "tacit/protocol/tag.hpp"

#include <fmt/format.h>

namespace tacit {

std::string to_string(const Tag& tag) {
  switch (tag.step) {
    case Step::key:
      return fmt::format("public key of agent {}, run {}", tag.about, tag.run);
    case Step::introduction:
      return fmt::format("public keys of neighbours of agent {}, run {}", tag.about, tag.run);
    case Step::blind:
      return fmt::format("noise from agent {}, run {}", tag.about, tag.run);
    case Step::roll:
      return fmt::format("roll of round {} from agent {}, run {}", tag.round, tag.about, tag.run);
    case Step::share:
    case Step::masked:
      break;
  }
  const char* step = tag.step == Step::share ? "share" : "masked value";
  return fmt::format("{} of round {} for aggregator {}, run {}", step, tag.round, tag.about, tag.run);
}

}  // namespace tacit
