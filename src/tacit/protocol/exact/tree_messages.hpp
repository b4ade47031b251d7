// Sends messages up and down the originator's tree. For protocol exact's own files.
#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <span>
#include <vector>

#include "tacit/base/error.hpp"
#include "tacit/protocol/run/run.hpp"
#include "tacit/protocol/run/statement.hpp"
#include "tacit/secrecy/bytes.hpp"

namespace tacit {

/// The messages of one sum. Each contains the sender's transcript, which must equal the receiver's.
class TreeMessages {
 public:
  using Bytes = std::span<const std::byte>;

  TreeMessages(Run& net, AgentId originator)
      : net_(net),
        run_(net.begin_run()),
        parent_(net.routes().parent(originator)),
        top_(net.self() == originator),
        children_(net.routes().children(originator)) {}

  bool top() const { return top_; }
  AgentId parent() const { return parent_; }
  const std::vector<AgentId>& children() const { return children_; }

  void send(AgentId to, Step step, Bytes content) {
    Payload payload = net_.buffer(sizeof(Digest) + content.size());
    std::ranges::copy(content, std::ranges::copy(net_.transcript().now(), payload.bytes().begin()).out);
    net_.send(to, {run_, 0, net_.self(), step}, std::move(payload));
  }
  void send_up(Step step, Bytes content) {
    if (!top_) send(parent_, step, content);
  }
  void send_down(Step step, Bytes content) {
    for (const AgentId child : children_) send(child, step, content);
  }

  Task<Payload> receive(AgentId from, Step step) {
    const Tag tag{run_, 0, from, step};
    Payload message = co_await net_.receive(from, tag);
    if (message.size() < sizeof(Digest)) refuse(from, step, message);
    if (value_at<Digest>(message.bytes()) != net_.transcript().now())
      throw Error(fmt::format(
          "agent {} has another transcript of this run than agent {}: it received other messages or "
          "uses another plan (found in its {}, run {})",
          from, net_.self(), step_name(step), run_));
    co_return message;
  }
  static Bytes content(const Payload& message) { return message.bytes().subspan(sizeof(Digest)); }
  [[noreturn]] void refuse(AgentId from, Step step, const Payload& message) const {
    throw Misbehaviour(from, fmt::format("agent {} sent a malformed message ({}), {} bytes", from,
                                         to_string(Tag{run_, 0, from, step}), message.size()));
  }

 private:
  Run& net_;
  const std::uint32_t run_;
  const AgentId parent_;
  const bool top_;
  const std::vector<AgentId>& children_;
};

}  // namespace tacit
