// Masked sums climb the tree of shortest paths to the originator, who opens the total and tells it. Its word
// is taken for the total; an agent that was told another one is at another point of the transcript, so that
// it cannot take part in what comes next.
#include <fmt/format.h>

#include <algorithm>

#include "tacit/base/error.hpp"
#include "tacit/protocol/exact/masking.hpp"
#include "tacit/protocol/statement.hpp"
#include "tacit/secrecy/bytes.hpp"

namespace tacit {
namespace {

using ByteSpan = std::span<const std::byte>;

[[noreturn]] void malformed(AgentId from, const Tag& tag, std::size_t bytes) {
  throw Misbehaviour(
      from, fmt::format("agent {} sent a malformed message ({}), {} bytes", from, to_string(tag), bytes));
}

// Messages of one sum over the originator's tree. Each carries the transcript, which must be the receiver's.
class Climb {
 public:
  Climb(Channel& net, AgentId originator)
      : net_(net),
        run_(net.begin_run()),
        parent_(net.routes().parent(originator)),
        top_(net.self() == originator),
        children_(net.routes().children(originator)) {}

  bool top() const { return top_; }
  AgentId parent() const { return parent_; }
  const std::vector<AgentId>& children() const { return children_; }

  void send(AgentId to, Step step, ByteSpan content) {
    Payload payload = net_.buffer(sizeof(Digest) + content.size());
    std::ranges::copy(content, std::ranges::copy(net_.transcript().now(), payload.bytes().begin()).out);
    net_.send(to, {run_, 0, net_.self(), step}, std::move(payload));
  }
  void send_up(Step step, ByteSpan content) {
    if (!top_) send(parent_, step, content);
  }
  void send_down(Step step, ByteSpan content) {
    for (const AgentId child : children_) send(child, step, content);
  }

  Task<Payload> hear(AgentId from, Step step) {
    const Tag tag{run_, 0, from, step};
    Payload said = co_await net_.receive(from, tag);
    if (said.size() < sizeof(Digest)) malformed(from, tag, said.size());
    if (value_at<Digest>(said.bytes()) != net_.transcript().now())
      throw Error(
          fmt::format("agent {} was told something else in this run than agent {}, or has another "
                      "plan for it: its {} (run {}) is of another transcript",
                      from, net_.self(), step_name(step), run_));
    co_return said;
  }
  static ByteSpan content(const Payload& said) { return said.bytes().subspan(sizeof(Digest)); }
  [[noreturn]] void refuse(AgentId from, Step step, const Payload& said) const {
    malformed(from, {run_, 0, from, step}, said.size());
  }

 private:
  Channel& net_;
  const std::uint32_t run_;
  const AgentId parent_;
  const bool top_;
  const std::vector<AgentId>& children_;
};

// Everybody's signed key climbs the tree, and the list of all comes down.
Task<MaskKeys> introduce(Channel& net, const ExactPlan& plan) {
  const Gathering& gathering = net.gathering();
  const Digest transcript = net.transcript().now();
  Climb climb(net, plan.originator);
  const KeyPair mine(net.randomness());
  std::vector<RosterEntry> entries{
      {net.self(), mine.public_key(),
       net.identity().sign(key_text(transcript, net.self(), mine.public_key()))}};
  for (const AgentId child : climb.children()) {
    const Payload said = co_await climb.hear(child, Step::join);
    for (const RosterEntry& entry : roster_from(Climb::content(said))) entries.push_back(entry);
  }
  std::ranges::sort(entries, {}, &RosterEntry::agent);
  climb.send_up(Step::join, to_bytes(entries));
  if (!climb.top()) {
    const Payload said = co_await climb.hear(climb.parent(), Step::roster);
    entries = roster_from(Climb::content(said));
  }
  const std::vector<std::byte> all = to_bytes(entries);
  climb.send_down(Step::roster, all);

  std::vector<PublicKey> roster;
  std::vector<AgentId> agents;
  for (const RosterEntry& entry : entries) {
    agents.push_back(entry.agent);
    roster.push_back(entry.key);
  }
  if (agents != gathering.roster)
    throw Misbehaviour(plan.originator, "the list of keys is not of those who agreed to take part");
  for (const std::size_t k : mask_partners(roster.size(), gathering.place(net.self()), plan.mask_degree))
    if (!verify(net.identity_of(agents[k]), key_text(transcript, agents[k], roster[k]), entries[k].signature))
      throw Misbehaviour(climb.top() ? agents[k] : climb.parent(),
                         fmt::format("the key of agent {} is not signed by it: somebody on the way has "
                                     "changed it",
                                     agents[k]));
  if (roster[gathering.place(net.self())] != mine.public_key())
    throw Misbehaviour(climb.parent(), "the list of keys has another key of this agent than its own");
  net.transcript().fold("keys", all);
  co_return agree_on_masks(net, plan, mine, roster);
}

}  // namespace

template <class Word>
Task<Values> tree_sum(Channel& net, const ExactPlan& plan, WipedVector<SignedOf<Word>> mine) {
  if (!net.mask_keys()) net.mask_keys() = co_await introduce(net, plan);
  net.transcript().fold("plan", digest_of(plan));
  Climb climb(net, plan.originator);
  Masking<Word> sum(plan);

  // Ids and self-masks of this agent and all below it.
  const std::uint32_t self = net.self();
  WipedVector<std::byte> self_masks(sizeof self + self_mask_bytes);
  std::ranges::copy(bytes_of(self), self_masks.begin());
  net.randomness().fill(std::span(self_masks).subspan(sizeof self));
  sum.apply(std::span(self_masks).subspan(sizeof self), true);
  sum.apply(*net.mask_keys(), net.transcript().now(), net.self());
  for (const AgentId child : climb.children()) {
    const Payload said = co_await climb.hear(child, Step::partial);
    if (Climb::content(said).size() != sum.size()) climb.refuse(child, Step::partial, said);
    sum.add(Climb::content(said));
  }
  WipedVector<std::byte> masked(sum.size());
  sum.pack(mine, masked);
  climb.send_up(Step::partial, masked);
  if (!climb.top()) (void)co_await climb.hear(climb.parent(), Step::open);
  climb.send_down(Step::open, {});

  for (const AgentId child : climb.children()) {
    const Payload said = co_await climb.hear(child, Step::seeds);
    const ByteSpan below = Climb::content(said);
    self_masks.insert(self_masks.end(), below.begin(), below.end());
  }
  net.count_opened(plan.dimension);  // to whoever gets all self-masks, even if this agent gets no total
  Payload total;
  sum.clear();
  if (climb.top()) {
    sum.add(masked);
    std::vector<AgentId> missing = net.gathering().roster;
    constexpr std::size_t entry = sizeof self + self_mask_bytes;
    ByteSpan rest = self_masks;
    for (; rest.size() >= entry; rest = rest.subspan(entry)) {
      const auto agent = value_at<std::uint32_t>(rest);
      if (std::erase(missing, agent) != 1)
        throw Error(fmt::format("a self-mask of agent {} came twice or was not asked for", agent));
      sum.apply(rest.subspan(sizeof agent), false);
    }
    if (!missing.empty() || !rest.empty())
      throw Error(fmt::format("the self-masks of {} agents did not come", missing.size()));
    total = net.buffer(sum.size());
    sum.pack(total.bytes());
    climb.send_down(Step::total, total.bytes());
  } else {
    climb.send_up(Step::seeds, self_masks);
    const Payload said = co_await climb.hear(climb.parent(), Step::total);
    if (Climb::content(said).size() != sum.size()) climb.refuse(climb.parent(), Step::total, said);
    climb.send_down(Step::total, Climb::content(said));
    sum.add(Climb::content(said));
    total = net.buffer(sum.size());
    std::ranges::copy(Climb::content(said), total.bytes().begin());
  }
  net.fold_total(total.bytes());
  co_return sum.values();
}

template Task<Values> tree_sum<Word64>(Channel&, const ExactPlan&, WipedVector<SignedOf<Word64>>);
template Task<Values> tree_sum<Word128>(Channel&, const ExactPlan&, WipedVector<SignedOf<Word128>>);

}  // namespace tacit
