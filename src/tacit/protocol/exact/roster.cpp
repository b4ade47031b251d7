#include "tacit/protocol/exact/roster.hpp"

#include <algorithm>
#include <cstring>

#include "tacit/base/error.hpp"
#include "tacit/secrecy/bytes.hpp"

namespace tacit {
std::vector<std::byte> to_bytes(std::span<const RosterEntry> entries) {
  std::vector<std::byte> bytes(entries.size() * roster_entry_bytes);
  std::byte* at = bytes.data();
  for (const RosterEntry& entry : entries) {
    const std::uint32_t agent = entry.agent;
    std::memcpy(at, &agent, sizeof agent);
    at = std::ranges::copy(entry.key, at + sizeof agent).out;
    at = std::ranges::copy(entry.signature, at).out;
  }
  return bytes;
}

std::vector<RosterEntry> roster_from(std::span<const std::byte> bytes) {
  if (bytes.size() % roster_entry_bytes != 0)
    throw Error("a roster is malformed: its last entry is incomplete");
  std::vector<RosterEntry> entries(bytes.size() / roster_entry_bytes);
  for (RosterEntry& entry : entries) {
    std::uint32_t agent = 0;
    std::memcpy(&agent, bytes.data(), sizeof agent);
    entry.agent = agent;
    std::ranges::copy(bytes.subspan(sizeof agent, sizeof(PublicKey)), entry.key.begin());
    std::ranges::copy(bytes.subspan(sizeof agent + sizeof(PublicKey), sizeof(Signature)),
                      entry.signature.begin());
    bytes = bytes.subspan(roster_entry_bytes);
  }
  return entries;
}

Digest key_text(const Digest& transcript, AgentId agent, const PublicKey& key) {
  const std::uint32_t id = agent;
  return digest_of({bytes_of("tacit key"), transcript, bytes_of(id), key});
}

std::vector<std::size_t> mask_partners(std::size_t n, std::size_t place, std::size_t degree) {
  std::vector<std::size_t> partners;
  if (degree == 0 || degree + 1 >= n) {
    for (std::size_t k = 0; k < n; ++k)
      if (k != place) partners.push_back(k);
    return partners;
  }
  for (std::size_t step = 1; step <= degree / 2; ++step) {
    partners.push_back((place + step) % n);
    partners.push_back((place + n - step) % n);
  }
  std::ranges::sort(partners);
  return partners;
}

}  // namespace tacit
