#include "tacit/protocol/channel.hpp"

#include <fmt/format.h>

#include "tacit/base/error.hpp"

namespace tacit {

void Channel::throw_gone(AgentId from, const Tag& tag, const std::string& why) {
  throw Error(fmt::format(
      "agent {} disappeared without notice in round {}: its {} never arrived{}{}; start again without it",
      from, tag.round, to_string(tag), why.empty() ? "" : ", as ", why));
}

}  // namespace tacit
