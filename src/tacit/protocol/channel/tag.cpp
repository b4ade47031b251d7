#include "tacit/protocol/channel/tag.hpp"

#include <fmt/format.h>

namespace tacit {

const char* step_name(Step step) {
  switch (step) {
    case Step::share:
      return "share";
    case Step::masked:
      return "masked value";
    case Step::key:
      return "key";
    case Step::introduction:
      return "introduction";
    case Step::blind:
      return "noise";
    case Step::join:
      return "keys of a subtree";
    case Step::roster:
      return "list of keys";
    case Step::partial:
      return "masked sum";
    case Step::open:
      return "opening";
    case Step::seeds:
      return "self-masks";
    case Step::total:
      return "total";
    case Step::consent:
      return "key";
    case Step::vector:
      return "masked vector";
    case Step::confirm:
      return "confirmation";
    case Step::self_mask:
      return "self-mask";
    case Step::notice:
      return "notice";
    case Step::seal:
      return "seal";
    case Step::turn:
      return "turn";
  }
  return "message";
}

std::string to_string(const Tag& tag) {
  switch (tag.step) {
    case Step::key:
      return fmt::format("public key of agent {}, run {}", tag.about, tag.run);
    case Step::introduction:
      return fmt::format("public keys of neighbours of agent {}, run {}", tag.about, tag.run);
    case Step::blind:
      return fmt::format("noise from agent {}, run {}", tag.about, tag.run);
    case Step::join:
    case Step::roster:
    case Step::partial:
    case Step::open:
    case Step::seeds:
    case Step::total:
    case Step::consent:
    case Step::vector:
    case Step::confirm:
    case Step::self_mask:
    case Step::notice:
    case Step::seal:
      return fmt::format("{} of agent {}, run {}", step_name(tag.step), tag.about, tag.run);
    case Step::turn:
      return fmt::format("turn {} of agent {}, run {}", tag.round, tag.about, tag.run);
    case Step::share:
    case Step::masked:
      break;
  }
  return fmt::format("{} of round {} for aggregator {}, run {}", step_name(tag.step), tag.round, tag.about,
                     tag.run);
}

}  // namespace tacit
