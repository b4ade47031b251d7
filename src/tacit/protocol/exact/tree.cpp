// Masked sums climb the tree of shortest paths to the originator, who opens the total and tells it. Its word
// is taken for the total; an agent that was told another one is at another point of the transcript, so that
// it cannot take part in what comes next.
#include <fmt/format.h>

#include <algorithm>

#include "tacit/base/error.hpp"
#include "tacit/protocol/exact/masking.hpp"
#include "tacit/protocol/exact/tree_messages.hpp"
#include "tacit/secrecy/bytes.hpp"

namespace tacit {

namespace {

constexpr std::size_t entry_bytes = sizeof(std::uint32_t) + self_mask_bytes;

// Are these the self-masks of a child's branch, each agent's once, as a walk through it meets them?
bool of_branch(const PathTree& tree, AgentId child, ByteSpan entries) {
  if (entries.size() != tree.branch[child] * entry_bytes) return false;
  for (std::size_t k = 0; k < tree.branch[child]; ++k)
    if (value_at<std::uint32_t>(entries.subspan(k * entry_bytes)) != tree.walk[tree.place[child] + k])
      return false;
  return true;
}

}  // namespace

template <class Word>
Task<Values> tree_sum(Channel& net, const ExactPlan& plan, WipedVector<SignedOf<Word>> mine) {
  if (!net.mask_keys()) net.mask_keys() = co_await tree_keys(net, plan);
  net.transcript().fold("plan", digest_of(plan));
  Climb climb(net, plan.originator);
  Masking<Word> sum(plan);

  // Ids and self-masks of this agent and all below it.
  const std::uint32_t self = net.self();
  WipedVector<std::byte> self_masks(entry_bytes);
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
    if (!of_branch(net.gathering().tree(plan.originator), child, below))
      climb.refuse(child, Step::seeds, said);
    self_masks.insert(self_masks.end(), below.begin(), below.end());
  }
  net.count_opened(plan.dimension);  // to whoever gets all self-masks, even if this agent gets no total
  Payload total;
  sum.clear();
  if (climb.top()) {
    sum.add(masked);
    for (ByteSpan rest = self_masks; !rest.empty(); rest = rest.subspan(entry_bytes))
      sum.apply(rest.subspan(sizeof self, self_mask_bytes), false);
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
