#include "tacit/protocol/channel/channel.hpp"

#include <fmt/format.h>

#include "tacit/base/error.hpp"

namespace tacit {

void Channel::throw_gone(AgentId from, const Tag& tag, const std::string& why) {
  if (tag.step >= Step::join)  // passed on from agent to agent; there are no rounds
    throw Error(fmt::format("the {} never arrived from agent {}{}{}", to_string(tag), from,
                            why.empty() ? "" : "; reason: ", why));
  throw Error(fmt::format("agent {} disappeared without notice in round {}: its {} never arrived{}{}", from,
                          tag.round, to_string(tag), why.empty() ? "" : "; reason: ", why));
}

}  // namespace tacit
