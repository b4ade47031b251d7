// Masked sums climb the tree of shortest paths to the originator, who opens the total and tells it. Its word
// is taken for the total; an agent that was told another one is at another point of the transcript, so that
// it cannot take part in what comes next.
#include <fmt/format.h>

#include <algorithm>

#include "tacit/base/error.hpp"
#include "tacit/protocol/exact/climb.hpp"
#include "tacit/protocol/exact/masking.hpp"
#include "tacit/secrecy/bytes.hpp"

namespace tacit {

using ByteSpan = std::span<const std::byte>;

template <class Word>
Task<Values> tree_sum(Channel& net, const ExactPlan& plan, WipedVector<SignedOf<Word>> mine) {
  if (!net.mask_keys()) net.mask_keys() = co_await tree_keys(net, plan);
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
    const Gathering& gathering = net.gathering();
    std::vector<bool> came(gathering.roster.size());
    constexpr std::size_t entry = sizeof self + self_mask_bytes;
    ByteSpan rest = self_masks;
    for (; rest.size() >= entry; rest = rest.subspan(entry)) {
      const auto agent = value_at<std::uint32_t>(rest);
      if (!gathering.takes_part(agent) || came[gathering.place(agent)])
        throw Error(fmt::format("a self-mask of agent {} came twice or was not asked for", agent));
      came[gathering.place(agent)] = true;
      sum.apply(rest.subspan(sizeof agent), false);
    }
    const auto missing = std::ranges::count(came, false);
    if (missing > 0 || !rest.empty())
      throw Error(fmt::format("the self-masks of {} agents did not come", missing));
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
