#include "tacit/lab/enduring/lockstep.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "tacit/base/error.hpp"

namespace tacit {
namespace {

// The first byte of a message down the tree.
constexpr std::byte item_request{1}, item_delivery{2};

}  // namespace

Lockstep::Lockstep(Run& net, const Gathering& who, AgentId originator)
    : net_(net),
      tree_(who.tree(originator)),
      run_(net.begin_run()),
      level_(tree_.level[net.self()]),
      depth_(tree_.depth()) {
  const AgentId self = net.self();
  if (tree_.branch[self] == 0)
    throw Error(fmt::format("there is no path from agent {} to agent {}", originator, self));
  for (const AgentId agent : who.graph.neighbours(self))
    if (who.takes_part(agent))
      neighbours_.push_back({.agent = agent,
                             .child = agent != originator && tree_.parent[agent] == self,
                             .nearer = tree_.level[agent] < level_});
}

void Lockstep::send_messages() {
  for (Neighbour& one : neighbours_) {
    if (!one.here) continue;
    Payload payload = one.out.empty() ? Payload() : net_.buffer(one.out.size());
    std::ranges::copy(one.out, payload.bytes().begin());
    net_.send(one.agent, {run_, turn_, net_.self(), Step::turn}, std::move(payload));
    one.out.clear();
  }
}

Task<std::size_t> Lockstep::take_turn() {
  send_messages();
  std::size_t left = 0;
  for (Neighbour& one : neighbours_) {
    one.in.clear();
    if (!one.here) continue;
    const Tag tag{run_, turn_, one.agent, Step::turn};
    const std::optional<Payload> message = co_await net_.receive_unless_gone(one.agent, tag);
    if (message) {
      one.in.assign(message->bytes().begin(), message->bytes().end());
      ++left;
    } else {
      one.here = false;
      missed_.push_back(one.agent);
    }
  }
  ++turn_;
  co_return left;
}

bool Lockstep::orphan() const {
  return !top() && std::ranges::none_of(neighbours_, [&](const Neighbour& one) {
    return one.here && one.agent == tree_.parent[net_.self()];
  });
}

Lockstep::Neighbour* Lockstep::above() {
  Neighbour* found = nullptr;
  for (Neighbour& one : neighbours_)
    if (one.here && one.nearer && (!found || one.agent == tree_.parent[net_.self()])) found = &one;
  return found;
}

Task<ByteList> Lockstep::send_down(ByteList item, std::size_t deep) {
  std::vector<bool> asked(neighbours_.size()), given(neighbours_.size());
  for (std::size_t k = 0; k < neighbours_.size(); ++k) asked[k] = neighbours_[k].child && level_ < deep;
  received_at_ = top() ? 0 : never;
  for (std::uint32_t turn = 0; turn < deep + slack; ++turn) {
    const bool asks = item.empty() && level_ <= deep && (orphan() || turn >= level_);
    for (std::size_t k = 0; k < neighbours_.size(); ++k) {
      if (asks) neighbours_[k].out = {item_request};
      if (item.empty() || !asked[k] || given[k]) continue;
      neighbours_[k].out = item;
      neighbours_[k].out.insert(neighbours_[k].out.begin(), item_delivery);
      given[k] = true;
    }
    co_await take_turn();
    for (std::size_t k = 0; k < neighbours_.size(); ++k) {
      const ByteList& in = neighbours_[k].in;
      if (in.empty()) continue;
      if (in[0] == item_request) asked[k] = true;
      if (in[0] != item_delivery || !item.empty()) continue;
      item.assign(in.begin() + 1, in.end());
      received_at_ = turn + 1;
      source_ = neighbours_[k].agent;
    }
  }
  co_return item;
}

Task<std::vector<ByteList>> Lockstep::gather(std::vector<ByteList> items, std::size_t deep) {
  for (std::size_t turn = 0; turn < deep; ++turn) {
    Neighbour* const to = above();
    if (to && !items.empty()) {
      ListWriter parcel;
      for (const ByteList& item : items) parcel.list(item);
      to->out = parcel.done();
    }
    if (!top()) items.clear();
    co_await take_turn();
    for (const Neighbour& one : neighbours_)
      for (ListReader parcel(one.in); parcel.good() && !parcel.at_end();) {
        const auto item = parcel.list();
        if (parcel.good()) items.emplace_back(item.begin(), item.end());
      }
  }
  if (!top()) items.clear();
  co_return items;
}

Lockstep::Neighbour* Lockstep::received_earlier() {
  Neighbour* found = nullptr;
  for (Neighbour& one : neighbours_) {
    if (!one.here || one.received_at >= received_at_) continue;
    if (one.agent == source_) return &one;
    if (!found || one.received_at < found->received_at) found = &one;
  }
  return found;
}

// The agents that received the last item last begin.
Task<void> Lockstep::climb(Merge merge, Pack pack) {
  for (Neighbour& one : neighbours_) {
    const ByteSpan when = bytes_of(received_at_);
    one.out.assign(when.begin(), when.end());
  }
  co_await take_turn();
  for (Neighbour& one : neighbours_)
    one.received_at = one.in.size() == sizeof received_at_ ? value_at<std::uint32_t>(one.in) : never;
  const std::size_t turns = climb_turns(depth_) - 1;
  for (std::size_t turn = 0; turn < turns; ++turn) {
    if (!top() && turn + received_at_ == turns)
      if (Neighbour* const to = received_earlier()) to->out = pack();
    co_await take_turn();
    for (const Neighbour& one : neighbours_)
      if (!one.in.empty()) merge(one.in);
  }
}

Task<ByteList> Lockstep::flood(ByteList item, Holds holds) {
  std::size_t left = neighbours_.size();
  for (std::size_t turn = 0; item.empty() && left > 0 && turn < 2 * depth_ + slack; ++turn) {
    left = co_await take_turn();
    for (Neighbour& one : neighbours_) {
      if (one.in.empty()) continue;
      one.here = false;  // it takes no further turn
      if (item.empty() && holds(one.in)) item = one.in;
    }
  }
  for (Neighbour& one : neighbours_) one.out = item;
  if (!item.empty()) send_messages();
  co_return item;
}

}  // namespace tacit
