// Fresh keys for tree sums. An agent needs only the keys of its mask partners, which are its nearest agents
// on the walk through the originator's tree (mask_circle). Every branch is a stretch of that walk. So other
// agents need the keys at the two ends of a branch, and a branch needs the keys just outside it. This bounds
// the number of keys in a message, however many agents there are.
//
// A digest of all keys climbs with them, branch by branch. The originator's digest, over all keys, comes down
// and goes into the transcript, and so into all masks.
#include <fmt/format.h>

#include <algorithm>

#include "tacit/base/error.hpp"
#include "tacit/protocol/consensus/key_exchange.hpp"
#include "tacit/protocol/exact/masking.hpp"
#include "tacit/protocol/exact/tree_messages.hpp"
#include "tacit/secrecy/bytes.hpp"

namespace tacit {
namespace {

// Places on the walk, seen from one branch.
class Stretch {
 public:
  Stretch(const PathTree& tree, AgentId top, std::size_t mask_degree)
      : all_(tree.walk.size()),
        first_(tree.place[top]),
        count_(tree.branch[top]),
        reach_(mask_degree ? mask_degree / 2 : all_) {}

  bool has(std::size_t place) const { return place >= first_ && place < first_ + count_; }

  // The places in the branch that may be mask partners of agents outside it.
  std::vector<std::size_t> ends() const {
    if (count_ <= 2 * reach_) return run(first_, count_);
    std::vector<std::size_t> places = run(first_, reach_);
    std::ranges::copy(run(first_ + count_ - reach_, reach_), std::back_inserter(places));
    return places;
  }
  // The places outside the branch that may be mask partners of agents in it.
  std::vector<std::size_t> around() const {
    const std::size_t outside = all_ - count_;
    if (outside <= 2 * reach_) return run(first_ + count_, outside);
    std::vector<std::size_t> places = run(first_ + count_, reach_);
    std::ranges::copy(run(first_ + all_ - reach_, reach_), std::back_inserter(places));
    return places;
  }

 private:
  std::vector<std::size_t> run(std::size_t from, std::size_t count) const {
    std::vector<std::size_t> places(count);
    for (std::size_t k = 0; k < count; ++k) places[k] = (from + k) % all_;
    return places;
  }

  std::size_t all_, first_, count_, reach_;
};

// The keys received so far, by place.
class Keys {
 public:
  explicit Keys(const PathTree& tree) : tree_(tree) {}

  void add(std::size_t place, const RosterEntry& entry) { known_.emplace_back(place, entry); }

  // Returns false if the bytes are not the keys of exactly these places.
  bool add(const std::vector<std::size_t>& places, ByteSpan bytes) {
    const std::vector<RosterEntry> entries = roster_from(bytes);
    for (std::size_t k = 0; k < places.size(); ++k) {
      if (entries[k].agent != tree_.walk[places[k]]) return false;
      add(places[k], entries[k]);
    }
    return true;
  }

  // Must be called before keys are looked up.
  void sort() {
    std::ranges::sort(known_, {}, [](const auto& one) { return one.first; });
  }
  const RosterEntry& at(std::size_t place) const {
    return std::ranges::lower_bound(known_, place, {}, [](const auto& one) { return one.first; })->second;
  }
  std::vector<RosterEntry> at(const std::vector<std::size_t>& places) const {
    std::vector<RosterEntry> entries;
    for (const std::size_t place : places) entries.push_back(at(place));
    return entries;
  }

 private:
  const PathTree& tree_;
  std::vector<std::pair<std::size_t, RosterEntry>> known_;
};

// The number of bytes after the transcript in a message of keys.
std::size_t message_bytes(std::size_t keys) { return sizeof(Digest) + keys * roster_entry_bytes; }

std::vector<std::byte> message(const Digest& digest, std::span<const RosterEntry> entries) {
  std::vector<std::byte> bytes = to_bytes(entries);
  bytes.insert(bytes.begin(), digest.begin(), digest.end());
  return bytes;
}

}  // namespace

TreeCost tree_cost(const ExactPlan& plan, const Gathering& gathering) {
  const PathTree& tree = gathering.tree(plan.originator);
  TreeCost cost;
  cost.depth = gathering.depth(plan.originator);
  cost.rounds = 6 * cost.depth;
  std::vector<std::uint64_t> of(tree.parent.size());
  for (const AgentId agent : tree.walk) {
    if (agent == plan.originator) continue;
    const Stretch stretch(tree, agent, plan.mask_degree);
    const std::uint64_t keys =
        2 * sizeof(Digest) + message_bytes(stretch.ends().size()) + message_bytes(stretch.around().size());
    const std::uint64_t seeds = tree.branch[agent] * (sizeof(std::uint32_t) + self_mask_bytes);
    const std::uint64_t link = keys + 4 * sizeof(Digest) + 2 * plan.message_bytes() + seeds;
    cost.keys += keys;
    cost.bytes += link;
    of[agent] += link;
    of[tree.parent[agent]] += link;
  }
  cost.most_bytes = *std::ranges::max_element(of);
  return cost;
}

Task<MaskKeys> tree_keys(Run& net, const ExactPlan& plan) {
  const PathTree& tree = net.gathering().tree(plan.originator);
  if (tree.walk.size() != net.gathering().roster.size())
    throw Error(fmt::format("there is no path from agent {} to all agents of the roster", plan.originator));
  const Digest transcript = net.transcript().now();
  const std::size_t here = tree.place[net.self()], degree = plan.mask_degree;
  TreeMessages messages(net, plan.originator);
  const KeyPair mine(net.randomness());
  const RosterEntry own{net.self(), mine.public_key(),
                        net.identity().sign(key_text(transcript, net.self(), mine.public_key()))};
  Keys keys(tree);
  keys.add(here, own);
  const auto take = [&](AgentId from, Step step, const Payload& received,
                        const std::vector<std::size_t>& places) {
    const ByteSpan content = TreeMessages::content(received);
    if (content.size() != message_bytes(places.size()) || !keys.add(places, content.subspan(sizeof(Digest))))
      messages.refuse(from, step, received);
    return value_at<Digest>(content);
  };

  std::vector<Digest> below;
  for (const AgentId child : messages.children()) {
    const Payload received = co_await messages.receive(child, Step::join);
    below.push_back(take(child, Step::join, received, Stretch(tree, child, degree).ends()));
  }
  keys.sort();
  Digest root = digest_of({bytes_of("tacit keys"), to_bytes({&own, 1}), std::as_bytes(std::span(below))});
  messages.send_up(Step::join, message(root, keys.at(Stretch(tree, net.self(), degree).ends())));
  if (!messages.top()) {
    const Payload received = co_await messages.receive(messages.parent(), Step::roster);
    root = take(messages.parent(), Step::roster, received, Stretch(tree, net.self(), degree).around());
    keys.sort();
  }
  for (const AgentId child : messages.children())
    messages.send(child, Step::roster, message(root, keys.at(Stretch(tree, child, degree).around())));

  MaskKeys agreed{degree, top_of(plan), {}};
  std::vector<AgentId> owners{net.self()};
  std::vector<PublicKey> shown{mine.public_key()};
  for (const std::size_t place : mask_partners(tree.walk.size(), here, degree)) {
    const RosterEntry& entry = keys.at(place);
    if (!verify(net.identity_of(entry.agent), key_text(transcript, entry.agent, entry.key),
                entry.signature)) {
      AgentId from = messages.parent();
      for (const AgentId child : messages.children())
        if (Stretch(tree, child, degree).has(place)) from = child;
      throw Misbehaviour(from,
                         fmt::format("the key of agent {}, received from agent {}, is not signed by its "
                                     "owner: an agent on the route has changed it",
                                     entry.agent, from));
    }
    owners.push_back(entry.agent);
    shown.push_back(entry.key);
    agree(agreed, net.self(), mine, entry.agent, entry.key);
  }
  refuse_copies(owners, shown);
  net.transcript().fold("keys", root);
  co_return agreed;
}

}  // namespace tacit
