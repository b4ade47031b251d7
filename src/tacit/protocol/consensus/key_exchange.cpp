#include "tacit/protocol/consensus/key_exchange.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>

#include "tacit/base/error.hpp"

namespace tacit {
namespace {

using PublicKeys = std::map<AgentId, PublicKey>;

// Writes public keys in the order of `owners`.
Payload write_keys(Channel& net, std::span<const AgentId> owners, const PublicKeys& keys) {
  Payload payload = net.buffer(owners.size() * public_key_bytes);
  for (std::size_t k = 0; k < owners.size(); ++k)
    std::ranges::copy(keys.at(owners[k]), payload.bytes().begin() + k * public_key_bytes);
  return payload;
}

// Adds the keys of `owners` as sent by `from`. A key that another neighbour has already sent must be the
// same; otherwise a relay has replaced it.
void read_keys(AgentId from, const Tag& tag, std::span<const AgentId> owners, const Payload& payload,
               PublicKeys& keys) {
  if (payload.size() != owners.size() * public_key_bytes)
    throw Error(fmt::format("agent {} sent a malformed message ({}): {} bytes are not {} keys", from,
                            to_string(tag), payload.size(), owners.size()));
  for (std::size_t k = 0; k < owners.size(); ++k) {
    PublicKey key;
    std::ranges::copy(payload.bytes().subspan(k * public_key_bytes, public_key_bytes), key.begin());
    const auto [known, fresh] = keys.emplace(owners[k], key);
    if (!fresh && known->second != key)
      throw Error(
          fmt::format("agent {} passed on a public key of agent {} that differs from the one that another "
                      "agent passed on: "
                      "one of them replaced it",
                      from, owners[k]));
  }
}

PairKey agree(AgentId self, const KeyPair& mine, AgentId with, const PublicKey& theirs) {
  try {
    return mine.agree(theirs, pair_name(self, with));
  } catch (const Error& e) {
    throw Error(fmt::format("no shared key with agent {}: {}", with, e.what()));
  }
}

}  // namespace

std::vector<AgentId> introduced(std::span<const AgentId> of_between, AgentId to,
                                std::span<const AgentId> of_to) {
  std::vector<AgentId> strangers;
  std::ranges::set_difference(of_between, of_to, std::back_inserter(strangers));
  std::erase(strangers, to);
  return strangers;
}

void refuse_copies(std::span<const AgentId> owners, std::span<const PublicKey> keys) {
  std::vector<std::pair<PublicKey, AgentId>> all;
  for (std::size_t k = 0; k < owners.size(); ++k) all.emplace_back(keys[k], owners[k]);
  std::ranges::sort(all);
  const auto same = std::ranges::adjacent_find(all, {}, [](const auto& one) { return one.first; });
  if (same == all.end()) return;
  throw Error(  // either of the two may be at fault
      fmt::format("agents {} and {} present the same key, so one of them has copied the other's",
                  same->second, std::next(same)->second));
}

Task<PairKeys> exchange_keys(Channel& net, std::uint32_t run) {
  const Neighbourhood& here = net.neighbourhood();
  const std::vector<AgentId>& neighbours = here.neighbours;
  const KeyPair mine(net.randomness());
  PublicKeys known{{here.self, mine.public_key()}};

  for (AgentId j : neighbours)
    net.send(j, {run, 0, here.self, Step::key}, write_keys(net, std::span(&here.self, 1), known));
  for (AgentId j : neighbours) {
    const Tag tag{run, 0, j, Step::key};
    const Payload received = co_await net.receive(j, tag);
    read_keys(j, tag, std::span(&j, 1), received, known);
  }

  for (std::size_t k = 0; k < neighbours.size(); ++k) {
    const auto strangers = introduced(neighbours, neighbours[k], here.neighbours_of[k]);
    if (!strangers.empty())
      net.send(neighbours[k], {run, 0, here.self, Step::introduction}, write_keys(net, strangers, known));
  }
  for (std::size_t k = 0; k < neighbours.size(); ++k) {
    const auto strangers = introduced(here.neighbours_of[k], here.self, neighbours);
    if (strangers.empty()) continue;
    const Tag tag{run, 0, neighbours[k], Step::introduction};
    const Payload received = co_await net.receive(neighbours[k], tag);
    read_keys(neighbours[k], tag, strangers, received, known);
  }

  std::vector<AgentId> owners;
  std::vector<PublicKey> shown;
  for (const auto& [agent, key] : known) {
    owners.push_back(agent);
    shown.push_back(key);
  }
  refuse_copies(owners, shown);
  PairKeys pairs;
  for (const auto& circle : here.neighbours_of)
    for (AgentId l : circle)
      if (l != here.self && !pairs.contains(l)) pairs.emplace(l, agree(here.self, mine, l, known.at(l)));
  co_return pairs;
}

}  // namespace tacit
