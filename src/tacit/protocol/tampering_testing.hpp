// A member that runs the program but changes its messages: a channel that wraps the one of a run and replaces
// outgoing messages. For tests with any driver.
#pragma once

#include <functional>
#include <optional>
#include <utility>
#include <vector>

#include "tacit/protocol/run/run.hpp"
#include "tacit/secrecy/bytes.hpp"

namespace tacit::testing {

class TamperingChannel final : public Channel {
 public:
  using Bytes = std::vector<std::byte>;
  using Instead = std::vector<std::pair<Tag, Bytes>>;
  /// Returns what to send instead of a message, or nothing to send it unchanged.
  using Tamper = std::function<std::optional<Instead>(AgentId to, const Tag&, const Bytes&)>;

  TamperingChannel(Run& honest, Tamper tamper)
      : honest_(honest), net_(honest.channel()), tamper_(std::move(tamper)) {}

  /// Returns the same run over this channel. It must not outlive the channel.
  Run run() { return Run(*this, honest_.gathering(), honest_.identities(), honest_.transcript()); }

  const Neighbourhood& neighbourhood() const override { return net_.neighbourhood(); }
  Prg& randomness() override { return net_.randomness(); }
  Payload buffer(std::size_t bytes) override { return net_.buffer(bytes); }

  void send(AgentId to, const Tag& tag, Payload payload) override {
    const auto instead = tamper_(to, tag, Bytes(payload.bytes().begin(), payload.bytes().end()));
    if (!instead) return net_.send(to, tag, std::move(payload));
    for (const auto& [other, content] : *instead) {
      Payload forged = net_.buffer(content.size());
      std::copy(content.begin(), content.end(), forged.bytes().begin());
      net_.send(to, other, std::move(forged));
    }
  }

  /// Returns a statement of this agent with changed content and a valid signature.
  Bytes signed_again(const Tag& tag, const Bytes& statement, const std::function<void(Bytes&)>& change) {
    Bytes content(statement.begin() + sizeof(Digest), statement.end() - sizeof(Signature));
    change(content);
    const auto transcript = value_at<Digest>(statement);
    const std::uint32_t label[] = {tag.run, tag.about, static_cast<std::uint32_t>(tag.step)};
    const Signature signature = honest_.identity().sign(
        digest_of({bytes_of("tacit statement"), transcript, std::as_bytes(std::span(label)), content}));
    Bytes out(transcript.begin(), transcript.end());
    out.insert(out.end(), content.begin(), content.end());
    out.insert(out.end(), signature.begin(), signature.end());
    return out;
  }

 protected:
  bool try_receive(AgentId from, const Tag& tag, Payload& message) override {
    return (net_.*(&Open::try_receive))(from, tag, message);
  }
  bool wait(AgentId from, const Tag& tag, Incoming& incoming, std::coroutine_handle<> protocol) override {
    return (net_.*(&Open::wait))(from, tag, incoming, protocol);
  }

 private:
  struct Open : Channel {
    using Channel::try_receive;
    using Channel::wait;
  };
  Run& honest_;
  Channel& net_;
  const Tamper tamper_;
};

}  // namespace tacit::testing
