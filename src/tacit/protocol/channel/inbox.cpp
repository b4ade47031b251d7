#include "tacit/protocol/channel/inbox.hpp"

#include <fmt/format.h>

#include "tacit/base/error.hpp"

namespace tacit {

void refuse_size(AgentId from, const Tag& tag, std::size_t bytes, std::size_t values, unsigned bits) {
  throw Error(fmt::format("agent {} sent a malformed message ({}): {} bytes are not {} values of {} bits",
                          from, to_string(tag), bytes, values, bits));
}

}  // namespace tacit
