#include "tacit/protocol/run/statement.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "tacit/secrecy/bytes.hpp"

namespace tacit {
namespace {

// A statement on the wire: its author's current transcript, the content, and the author's signature of both.
constexpr std::size_t around = sizeof(Digest) + sizeof(Signature);

Digest text(const Digest& transcript, const Tag& tag, ByteSpan content) {
  const std::uint32_t label[] = {tag.run, tag.about, static_cast<std::uint32_t>(tag.step)};
  return digest_of({bytes_of("tacit statement"), transcript, std::as_bytes(std::span(label)), content});
}

Payload written(Run& net, const Tag& tag, ByteSpan content) {
  const Digest& transcript = net.transcript().now();
  Payload payload = net.buffer(content.size() + around);
  auto at = std::ranges::copy(transcript, payload.bytes().begin()).out;
  at = std::ranges::copy(content, at).out;
  std::ranges::copy(net.identity().sign(text(transcript, tag, content)), at);
  return payload;
}

Payload copy_of(Run& net, ByteSpan bytes) {
  Payload payload = net.buffer(bytes.size());
  std::ranges::copy(bytes, payload.bytes().begin());
  return payload;
}

// Returns the content of tag.about's statement, which arrived from `from`.
ByteSpan checked(Run& net, AgentId from, const Tag& tag, ByteSpan statement) {
  if (statement.size() < around)
    throw Misbehaviour(from, fmt::format("agent {} sent a malformed message ({}), {} bytes", from,
                                         to_string(tag), statement.size()));
  const auto transcript = value_at<Digest>(statement);
  const ByteSpan content = statement.subspan(sizeof(Digest), statement.size() - around);
  const auto signature = value_at<Signature>(statement.last(sizeof(Signature)));
  if (!verify(net.identity_of(tag.about), text(transcript, tag, content), signature))
    throw Misbehaviour(from, fmt::format("agent {} passed on a {} that agent {} has not signed: an agent on "
                                         "the route has changed it",
                                         from, step_name(tag.step), tag.about));
  if (transcript != net.transcript().now())
    throw Error(fmt::format(
        "agent {} has another transcript of this run than agent {}: it received other messages or "
        "uses another plan (found in its {}, run {})",
        tag.about, net.self(), step_name(tag.step), tag.run));
  return content;
}

// The permitted length of a statement. It is checked before the statement is passed on, because a statement
// that is too long costs every agent on its route.
struct Length {
  std::size_t least, most;
};

void check_length(const Tag& tag, std::size_t bytes, const Length& length) {
  if (bytes >= length.least && bytes <= length.most) return;
  throw Misbehaviour(
      tag.about, fmt::format("the {} of agent {} has {} bytes instead of {}{}", step_name(tag.step),
                             tag.about, bytes, length.least == length.most ? "" : "at most ", length.most));
}

// Sends this agent's own statement, or receives another agent's and passes it on.
Task<Payload> relay(Run& net, Tag tag, ByteSpan mine, Length length) {
  Payload statement;
  if (tag.about == net.self()) {
    statement = written(net, tag, mine);
  } else {
    const AgentId from = net.routes().parent(tag.about);
    statement = co_await net.receive(from, tag);
    check_length(tag, checked(net, from, tag, statement.bytes()).size(), length);
  }
  for (const AgentId child : net.routes().children(tag.about))
    net.send(child, tag, copy_of(net, statement.bytes()));
  co_return statement;
}

ByteSpan content_of(const Payload& statement) {
  return statement.bytes().subspan(sizeof(Digest), statement.size() - around);
}

}  // namespace

Task<std::size_t> exchange(Run& net, Step step, ByteSpan mine, TakeStatement take) {
  const std::uint32_t run = net.begin_run();
  const Tag mark{run, 0, net.self(), step};
  const Length length{mine.size(), mine.size()};
  const Payload own = co_await relay(net, mark, mine, length);
  take(net.self(), content_of(own));
  for (const AgentId source : net.routes().others()) {
    const Tag tag{run, 0, source, step};
    const Payload statement = co_await relay(net, tag, ByteSpan(), length);
    take(source, content_of(statement));
  }
  co_return net.gathering().roster.size();
}

Task<Statements> exchange(Run& net, Step step, std::vector<std::byte> mine) {
  Statements all(net.gathering().roster.size());
  const TakeStatement keep = [&](AgentId agent, ByteSpan content) {
    all[net.gathering().place(agent)].assign(content.begin(), content.end());
  };
  const ByteSpan own(mine);
  co_await exchange(net, step, own, keep);
  co_return all;
}

Task<std::vector<std::byte>> publish(Run& net, AgentId speaker, Step step, std::vector<std::byte> mine) {
  const Tag tag{net.begin_run(), 0, speaker, step};
  const Payload statement = co_await relay(net, tag, mine, {0, most_published_bytes});
  const ByteSpan content = content_of(statement);
  co_return std::vector<std::byte>(content.begin(), content.end());
}

}  // namespace tacit
