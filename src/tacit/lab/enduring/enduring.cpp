#include "tacit/lab/enduring/enduring.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "tacit/base/error.hpp"
#include "tacit/lab/enduring/epoch.hpp"

namespace tacit {
namespace {

template <class Word>
Task<EnduringSum> formed(Run& net, const EnduringPlan& plan, Values mine) {
  if (net.transcript().start() == Digest{})
    throw Error("the transcript of an enduring sum must have a start that no other run has");
  const WipedVector<SignedOf<Word>> values = fixed_point<Word>(plan.sum, mine);
  const KeeperLists posts(net.gathering(), plan);
  net.transcript().fold("enduring plan", digest_of(plan));
  KeeperRecord record;
  std::vector<AgentId> lost;
  for (std::size_t epochs = 1; epochs <= plan.epochs; ++epochs) {
    const Gathering& who = lost.empty() ? net.gathering() : net.gathering().without(lost);
    Epoch<Word> epoch(net, plan, posts, who, values, record);
    Ending ending = co_await epoch.run();
    if (ending.how == End::error) throw Error(words_of(ending, plan));
    if (ending.how == End::total) {
      Masking<Word> sum(plan.sum);
      if (ending.content.size() != sum.size()) throw Error("the originator sent a malformed total");
      sum.add(ending.content);
      net.transcript().fold("left out", std::as_bytes(std::span(ending.agents)));
      net.fold_total(ending.content);
      co_return EnduringSum{sum.values(), std::move(ending.agents), epochs};
    }
    if (std::ranges::binary_search(ending.agents, plan.sum.originator) ||
        !std::ranges::includes(net.gathering().roster, ending.agents))
      throw Error("the originator sent a malformed list of lost agents");
    std::vector<AgentId> all;
    std::ranges::set_union(lost, ending.agents, std::back_inserter(all));
    lost = std::move(all);
    if (std::ranges::binary_search(lost, net.self()))
      throw Error(fmt::format("agent {} was counted as lost", net.self()));
  }
  throw Error(fmt::format(
      "the sum failed {} times because too many agents were lost; repeat it only with new values, "
      "because an agent may already know this sum",
      plan.epochs));
}

}  // namespace

std::size_t enduring_turns(const EnduringPlan& plan, const Gathering& everybody) {
  const std::size_t depth = everybody.depth(plan.sum.originator);
  const std::size_t reach = KeeperLists(everybody, plan).reach(everybody.tree(plan.sum.originator));
  // Keys go up and down, the sum up, the call down, votes up and down, masks up, the total down.
  return reach + (depth + Lockstep::slack) + Lockstep::climb_turns(depth) +
         2 * (reach + Lockstep::slack + reach) + depth;
}

Task<EnduringSum> enduring_sum(Run& net, const EnduringPlan& plan, Values mine) {
  return plan.sum.modulus_bits <= 64 ? formed<Word64>(net, plan, std::move(mine))
                                     : formed<Word128>(net, plan, std::move(mine));
}

}  // namespace tacit
