#include "tacit/protocol/consensus/leaving.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <utility>

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

// Removes neighbours. Their other neighbours report that they have lost them too.
void drop(Neighbourhood& known, const std::vector<AgentId>& gone) {
  for (AgentId id : gone) {
    const auto at = std::lower_bound(known.neighbours.begin(), known.neighbours.end(), id);
    known.neighbours_of.erase(known.neighbours_of.begin() + (at - known.neighbours.begin()));
    known.neighbours.erase(at);
  }
}

}  // namespace

RollCall::RollCall(Channel& net, std::uint32_t run, std::size_t rounds)
    : net_(net), run_(run), rounds_(rounds), here_(net.neighbourhood()), held_(circle_holds(here_)) {}

bool RollCall::open(std::uint32_t round) {
  const std::vector<AgentId> dropped = std::exchange(leaving_, {});
  drop(here_, dropped);
  last_ = round + 1 < rounds_ && net_.leaves_after(run_, round);
  for (AgentId j : here_.neighbours)
    net_.send(j, {run_, round, here_.self, Step::roll}, write_roll(net_, last_, dropped));
  return !dropped.empty();
}

// True if the neighbour has dropped somebody.
bool RollCall::read(std::size_t neighbour, const Tag& tag, const Payload& roll) {
  const auto bytes = roll.bytes();
  bool good = bytes.size() % id_bytes == 1 && bytes[0] <= std::byte{1};
  for (std::size_t at = 1; good && at < bytes.size(); at += id_bytes) {
    AgentId gone = 0;
    for (std::size_t k = 0; k < id_bytes; ++k) gone |= std::to_integer<AgentId>(bytes[at + k]) << (8 * k);
    good = gone != here_.self && remove(here_.neighbours_of[neighbour], gone);
  }
  if (!good)
    throw Error(fmt::format(
        "agent {} sent a malformed message ({}): it does not say whether it stays and who has left",
        here_.neighbours[neighbour], to_string(tag)));
  if (bytes[0] == std::byte{1}) leaving_.push_back(here_.neighbours[neighbour]);
  return bytes.size() > 1;
}

Task<bool> RollCall::close(std::uint32_t round) {
  bool degrees_fell = false;
  for (std::size_t k = 0; k < here_.neighbours.size(); ++k) {
    const Tag tag{run_, round, here_.neighbours[k], Step::roll};
    const Payload roll = co_await net_.receive(here_.neighbours[k], tag);
    degrees_fell |= read(k, tag, roll);
  }
  if (last_)
    check_own_leave(round);
  else if (!leaving_.empty())
    check_circle(round);
  co_return degrees_fell;
}

// An agent knows all links between its neighbours, and all who end them by leaving are its neighbours.
void RollCall::check_circle(std::uint32_t round) const {
  Neighbourhood rest = here_;
  drop(rest, leaving_);
  if (here_.helps() || !held_ || circle_holds(rest)) return;
  throw Error(
      fmt::format("agent {} cannot leave after round {}: masks would not protect the neighbours of agent {}, "
                  "as fewer than two would be left or they could not reach each other; let it stay, or use a "
                  "graph with more edges",
                  fmt::join(leaving_, " and "), round, here_.self));
}

// Those who leave in the same round do so one after the other, by number. None of them breaks a path between
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
