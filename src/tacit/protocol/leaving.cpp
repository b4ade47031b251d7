#include "tacit/protocol/leaving.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cstring>

#include "tacit/base/error.hpp"
#include "tacit/graph/connectivity.hpp"

namespace tacit {
namespace {

// A roll on the wire: one byte that is 1 in the sender's last round and else 0, then the ids of those it has
// dropped, little-endian.
constexpr std::size_t id_bytes = 4;
static_assert(sizeof(AgentId) == id_bytes);

Payload write_roll(Channel& net, bool last, const std::vector<AgentId>& dropped) {
  Payload roll = net.buffer(1 + id_bytes * dropped.size());
  std::byte* out = roll.bytes().data();
  *out++ = std::byte{last};
  for (AgentId id : dropped)
    for (std::size_t k = 0; k < id_bytes; ++k) *out++ = static_cast<std::byte>(id >> (8 * k));
  return roll;
}

// False if `id` was not there.
bool remove(std::vector<AgentId>& ids, AgentId id) {
  const auto at = std::lower_bound(ids.begin(), ids.end(), id);
  if (at == ids.end() || *at != id) return false;
  ids.erase(at);
  return true;
}

}  // namespace

RollCall::RollCall(Channel& net, std::uint32_t run)
    : net_(net), run_(run), here_(net.neighbourhood()), held_(circle_holds(here_)) {}

bool RollCall::open(std::uint32_t round) {
  dropped_ = std::exchange(leaving_, {});
  for (AgentId gone : dropped_) {
    const auto at = std::lower_bound(here_.neighbours.begin(), here_.neighbours.end(), gone);
    here_.neighbours_of.erase(here_.neighbours_of.begin() + (at - here_.neighbours.begin()));
    here_.neighbours.erase(at);
  }
  last_ = net_.leaves_after(run_, round);
  for (AgentId j : here_.neighbours)
    net_.send(j, {run_, round, here_.self, Step::roll}, write_roll(net_, last_, dropped_));
  return !dropped_.empty();
}

void RollCall::read(std::size_t neighbour, const Tag& tag, const Payload& roll) {
  const auto bytes = roll.bytes();
  bool good = bytes.size() % id_bytes == 1 && bytes[0] <= std::byte{1};
  for (std::size_t at = 1; good && at < bytes.size(); at += id_bytes) {
    AgentId gone = 0;
    for (std::size_t k = 0; k < id_bytes; ++k) gone |= std::to_integer<AgentId>(bytes[at + k]) << (8 * k);
    good = gone != here_.self && remove(here_.neighbours_of[neighbour], gone);
    dropped_.push_back(gone);
  }
  if (!good)
    throw Error(
        fmt::format("agent {} sent a malformed message ({}): it says neither that it stays nor who left",
                    here_.neighbours[neighbour], to_string(tag)));
  if (bytes[0] == std::byte{1}) leaving_.push_back(here_.neighbours[neighbour]);
}

Task<bool> RollCall::close(std::uint32_t round) {
  const std::size_t known = dropped_.size();
  for (std::size_t k = 0; k < here_.neighbours.size(); ++k) {
    const Tag tag{run_, round, here_.neighbours[k], Step::roll};
    const Payload roll = co_await net_.receive(here_.neighbours[k], tag);
    read(k, tag, roll);
  }
  if (!dropped_.empty()) check_rest(round);
  if (last_) check_own_leave(round);
  co_return dropped_.size() > known;
}

void RollCall::check_rest(std::uint32_t round) const {
  if (here_.helps() || !held_ || circle_holds(here_)) return;
  std::vector<AgentId> gone = dropped_;
  std::sort(gone.begin(), gone.end());
  gone.erase(std::unique(gone.begin(), gone.end()), gone.end());
  throw Error(fmt::format(
      "after agent {} left, the masks of agent {}'s neighbours no longer hold in round {}: fewer than "
      "two are left or they do not reach each other; start again on a graph with more edges",
      fmt::join(gone, " and "), here_.self, round));
}

// Those who leave in the same round do so one after the other, by number. Nobody who does takes a path from
// the rest if its neighbours reach each other without it.
void RollCall::check_own_leave(std::uint32_t round) const {
  if (here_.helps()) return;
  const auto agents = here_.aggregators();
  std::vector<AgentId> rest(agents.begin(), agents.end());
  for (AgentId other : leaving_)
    if (other < here_.self) remove(rest, other);
  if (!linked(here_, rest))
    throw Error(fmt::format(
        "agent {} cannot leave after round {}: its neighbours reach each other only through it; let it "
        "stay, or add edges between them",
        here_.self, round));
}

}  // namespace tacit
