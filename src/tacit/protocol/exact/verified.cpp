// Each agent sends its masked vector to all others, then confirms which vectors it has received. Only after
// all agents have confirmed the same vectors does an agent release its self-mask. Each agent then computes
// the sum itself.
#include <fmt/format.h>

#include <algorithm>

#include "tacit/base/error.hpp"
#include "tacit/protocol/consensus/key_exchange.hpp"
#include "tacit/protocol/exact/masking.hpp"
#include "tacit/protocol/run/statement.hpp"
#include "tacit/secrecy/bytes.hpp"

namespace tacit {
namespace {

// Fresh keys for this run. The keys of all agents are part of the transcript from here on.
Task<MaskKeys> introduce(Run& net, const ExactPlan& plan) {
  const KeyPair mine(net.randomness());
  std::vector<PublicKey> roster(net.gathering().roster.size());
  const TakeStatement take = [&](AgentId agent, ByteSpan content) {
    roster[net.gathering().place(agent)] = value_at<PublicKey>(content);
  };
  co_await exchange(net, Step::consent, mine.public_key(), take);
  refuse_copies(net.gathering().roster, roster);
  net.transcript().fold("keys", std::as_bytes(std::span(roster)));
  const std::vector<AgentId>& circle = mask_circle(net.gathering(), plan);
  MaskKeys keys{plan.mask_degree, top_of(plan), {}};
  for (const std::size_t k :
       mask_partners(circle.size(), net.gathering().place(net.self()), plan.mask_degree))
    agree(keys, net.self(), mine, circle[k], roster[k]);
  co_return keys;
}

// A confirmation: the digest of all masked vectors, and a short mark of each, to identify one that differs.
using Mark = std::uint64_t;

std::vector<std::byte> confirmation(std::span<const Digest> vectors) {
  const Digest all = digest_of({std::as_bytes(vectors)});
  std::vector<std::byte> bytes(all.begin(), all.end());
  for (const Digest& vector : vectors) {
    const auto mark = value_at<Mark>(vector);
    const ByteSpan more = bytes_of(mark);
    bytes.insert(bytes.end(), more.begin(), more.end());
  }
  return bytes;
}

[[noreturn]] void disagree(Run& net, AgentId agent, ByteSpan mine, ByteSpan theirs) {
  const std::vector<AgentId>& roster = net.gathering().roster;
  for (std::size_t k = 0; k < roster.size(); ++k) {
    const std::size_t at = sizeof(Digest) + k * sizeof(Mark);
    if (std::ranges::equal(mine.subspan(at, sizeof(Mark)), theirs.subspan(at, sizeof(Mark)))) continue;
    throw Error(  // either of the two may be at fault
        fmt::format(
            "agent {0} confirms another masked vector of agent {1} than the one that agent {1} signed "
            "for agent {2}: agent {1} signed two vectors, or agent {0} sent a false confirmation",
            agent, roster[k], net.self()));
  }
  throw Misbehaviour(agent, fmt::format("the confirmation of agent {} contradicts itself", agent));
}

}  // namespace

template <class Word>
Task<Values> verified_sum(Run& net, const ExactPlan& plan, WipedVector<SignedOf<Word>> mine) {
  if (!net.mask_keys()) net.mask_keys() = co_await introduce(net, plan);
  net.transcript().fold("plan", digest_of(plan));
  const Digest occasion = net.transcript().now();
  const Gathering& gathering = net.gathering();

  SelfMask self_mask(self_mask_bytes);
  net.randomness().fill(self_mask);
  const auto promise = [&](AgentId agent, ByteSpan key) {
    return digest_of({bytes_of("tacit self-mask"), occasion, bytes_of(agent), key});
  };

  // A masked vector goes out with a promise of its self-mask, so that there is only one to release.
  Masking<Word> sum(plan);
  Payload masked = net.buffer(sizeof(Digest) + sum.size());
  std::ranges::copy(promise(net.self(), self_mask), masked.bytes().begin());
  sum.apply(self_mask, true);
  sum.apply(*net.mask_keys(), occasion, net.self());
  sum.pack(mine, masked.bytes().subspan(sizeof(Digest)));
  sum.clear();

  std::vector<Digest> promises(gathering.roster.size()), vectors(gathering.roster.size());
  const TakeStatement add = [&](AgentId agent, ByteSpan content) {
    const std::size_t place = gathering.place(agent);
    promises[place] = value_at<Digest>(content);
    vectors[place] = digest_of({content});
    sum.add(content.subspan(sizeof(Digest)));
  };
  co_await exchange(net, Step::vector, masked.bytes(), add);

  const std::vector<std::byte> confirmed = confirmation(vectors);
  const TakeStatement compare = [&](AgentId agent, ByteSpan content) {
    if (!std::ranges::equal(content, confirmed)) disagree(net, agent, confirmed, content);
  };
  co_await exchange(net, Step::confirm, confirmed, compare);
  net.transcript().fold("masked vectors", confirmed);

  const TakeStatement open = [&](AgentId agent, ByteSpan content) {
    if (promise(agent, content) != promises[gathering.place(agent)])
      throw Misbehaviour(agent,
                         fmt::format("agent {} released another self-mask than the one it promised", agent));
    sum.apply(content, false);
  };
  net.count_opened(
      plan.dimension);  // to every agent that receives all self-masks, even if this agent does not
  co_await exchange(net, Step::self_mask, self_mask, open);

  Payload total = net.buffer(sum.size());
  sum.pack(total.bytes());
  net.fold_total(total.bytes());
  co_return sum.values();
}

template Task<Values> verified_sum<Word64>(Run&, const ExactPlan&, WipedVector<SignedOf<Word64>>);
template Task<Values> verified_sum<Word128>(Run&, const ExactPlan&, WipedVector<SignedOf<Word128>>);

}  // namespace tacit
