// Masked sums go up the tree of shortest paths to the originator, which opens the total and distributes it.
// The other agents do not verify the total. But an agent that receives another total than the others then has
// another transcript, and cannot take part in the next step.
#include <fmt/format.h>

#include <algorithm>

#include "tacit/base/error.hpp"
#include "tacit/protocol/exact/masking.hpp"
#include "tacit/protocol/exact/tree_messages.hpp"
#include "tacit/secrecy/bytes.hpp"

namespace tacit {

namespace {

constexpr std::size_t entry_bytes = sizeof(std::uint32_t) + self_mask_bytes;

// Returns whether these are the self-masks of a child's branch, one for each agent, in the order of the walk.
bool of_branch(const PathTree& tree, AgentId child, ByteSpan entries) {
  if (entries.size() != tree.branch[child] * entry_bytes) return false;
  for (std::size_t k = 0; k < tree.branch[child]; ++k)
    if (value_at<std::uint32_t>(entries.subspan(k * entry_bytes)) != tree.walk[tree.place[child] + k])
      return false;
  return true;
}

}  // namespace

template <class Word>
Task<Values> tree_sum(Run& net, const ExactPlan& plan, WipedVector<SignedOf<Word>> mine) {
  if (!net.mask_keys()) net.mask_keys() = co_await tree_keys(net, plan);
  net.transcript().fold("plan", digest_of(plan));
  TreeMessages messages(net, plan.originator);
  Masking<Word> sum(plan);

  // The ids and self-masks of this agent and of all below it.
  const std::uint32_t self = net.self();
  WipedVector<std::byte> self_masks(entry_bytes);
  std::ranges::copy(bytes_of(self), self_masks.begin());
  net.randomness().fill(std::span(self_masks).subspan(sizeof self));
  sum.apply(std::span(self_masks).subspan(sizeof self), true);
  sum.apply(*net.mask_keys(), net.transcript().now(), net.self());
  for (const AgentId child : messages.children()) {
    const Payload partial = co_await messages.receive(child, Step::partial);
    if (TreeMessages::content(partial).size() != sum.size()) messages.refuse(child, Step::partial, partial);
    sum.add(TreeMessages::content(partial));
  }
  WipedVector<std::byte> masked(sum.size());
  sum.pack(mine, masked);
  messages.send_up(Step::partial, masked);
  if (!messages.top()) (void)co_await messages.receive(messages.parent(), Step::open);
  messages.send_down(Step::open, {});

  for (const AgentId child : messages.children()) {
    const Payload seeds = co_await messages.receive(child, Step::seeds);
    const ByteSpan below = TreeMessages::content(seeds);
    if (!of_branch(net.gathering().tree(plan.originator), child, below))
      messages.refuse(child, Step::seeds, seeds);
    self_masks.insert(self_masks.end(), below.begin(), below.end());
  }
  net.count_opened(plan.dimension);  // to the originator, which receives all self-masks, even if this agent
                                     // receives no total
  Payload total;
  sum.clear();
  if (messages.top()) {
    sum.add(masked);
    for (ByteSpan rest = self_masks; !rest.empty(); rest = rest.subspan(entry_bytes))
      sum.apply(rest.subspan(sizeof self, self_mask_bytes), false);
    total = net.buffer(sum.size());
    sum.pack(total.bytes());
    messages.send_down(Step::total, total.bytes());
  } else {
    messages.send_up(Step::seeds, self_masks);
    const Payload received = co_await messages.receive(messages.parent(), Step::total);
    if (TreeMessages::content(received).size() != sum.size())
      messages.refuse(messages.parent(), Step::total, received);
    messages.send_down(Step::total, TreeMessages::content(received));
    sum.add(TreeMessages::content(received));
    total = net.buffer(sum.size());
    std::ranges::copy(TreeMessages::content(received), total.bytes().begin());
  }
  net.fold_total(total.bytes());
  co_return sum.values();
}

template Task<Values> tree_sum<Word64>(Run&, const ExactPlan&, WipedVector<SignedOf<Word64>>);
template Task<Values> tree_sum<Word128>(Run&, const ExactPlan&, WipedVector<SignedOf<Word128>>);

}  // namespace tacit
