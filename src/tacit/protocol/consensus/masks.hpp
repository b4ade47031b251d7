// Where the masks φ of (mask) come from. A source says whose shares an agent's mask still needs (`circle`)
// and does what the agent can do by itself (`begin`). The masks of one sum add up to zero (lem:zeroshare).
#pragma once

#include <cstdint>
#include <map>
#include <span>
#include <vector>

#include "tacit/protocol/channel/channel.hpp"
#include "tacit/secrecy/wire.hpp"

namespace tacit {

/// The paper's: everybody in a circle sends everybody else in it a share of zero.
template <class Word>
class ShareMasks {
 public:
  /// `net` and `here` must outlive it.
  ShareMasks(Channel& net, const Neighbourhood& here, std::uint32_t run, const Ring<Word>& ring)
      : net_(net), here_(here), run_(run), ring_(ring) {}

  /// N_i⁺ ∩ N_self⁺ without self, for the aggregator i.
  std::vector<AgentId> circle(AgentId aggregator) const { return here_.circle(aggregator); }

  /// (jshare), (ishare): splits zero into as many shares as the circle has members. The own share stays in
  /// `mask`, the others are sent.
  void begin(AgentId aggregator, std::span<const AgentId> circle, std::uint32_t round, std::span<Word> mask);

 private:
  Channel& net_;
  const Neighbourhood& here_;
  std::uint32_t run_;
  Ring<Word> ring_;
  std::vector<Payload> messages_;  // of one `begin`; kept for their room
  std::vector<Bytes> outgoing_;
};

/// Masks without messages: every two neighbours of an aggregator have a stream in common, which one adds and
/// the other subtracts.
template <class Word>
class SeededMasks {
 public:
  /// `here` must outlive it.
  SeededMasks(const Neighbourhood& here, const PairKeys& keys, const Digest& occasion,
              const Ring<Word>& ring);

  /// Nobody: the mask is complete from the start.
  std::vector<AgentId> circle(AgentId) const { return {}; }

  /// φ_{aggregator,self} of a round. Zero for the agent's own sum: a stream the aggregator knows hides
  /// nothing from it.
  void begin(AgentId aggregator, std::span<const AgentId> circle, std::uint32_t round, std::span<Word> mask);

 private:
  const Neighbourhood& here_;
  Ring<Word> ring_;
  std::map<AgentId, Prg> streams_;
  WipedVector<std::byte> drawn_;  // a piece of a stream
};

}  // namespace tacit
