// The sources of the masks φ of (mask). `circle` returns the agents whose shares a mask still needs; `begin`
// computes the part that needs no other agent. The masks of one sum add up to zero (lem:zeroshare).
#pragma once

#include <cstdint>
#include <map>
#include <span>
#include <vector>

#include "tacit/protocol/channel/channel.hpp"
#include "tacit/protocol/run/run_keys.hpp"
#include "tacit/secrecy/wire.hpp"

namespace tacit {

/// The paper's source: every agent in a circle sends every other agent in it a share of zero.
template <class Word>
class ShareMasks {
 public:
  /// `net` and `here` must outlive it.
  ShareMasks(Channel& net, const Neighbourhood& here, std::uint32_t run, const Ring<Word>& ring)
      : net_(net), here_(here), run_(run), ring_(ring) {}

  /// N_i⁺ ∩ N_self⁺ without self, for the aggregator i.
  std::vector<AgentId> circle(AgentId aggregator) const { return here_.circle(aggregator); }

  /// (jshare), (ishare): splits zero into one share for each agent of the circle and one for this agent. The
  /// agent's own share stays in `mask`; the others are sent.
  void begin(AgentId aggregator, std::span<const AgentId> circle, std::uint32_t round, std::span<Word> mask);

 private:
  Channel& net_;
  const Neighbourhood& here_;
  std::uint32_t run_;
  Ring<Word> ring_;
  std::vector<Payload> messages_;  // of one `begin`; kept to reuse the memory
  std::vector<Bytes> outgoing_;
};

/// Masks without messages: every two neighbours of an aggregator share a stream, which one adds and the other
/// subtracts.
template <class Word>
class SeededMasks {
 public:
  /// `here` must outlive it.
  SeededMasks(const Neighbourhood& here, const PairKeys& keys, const Digest& occasion,
              const Ring<Word>& ring);

  /// Empty: the mask is complete from the start.
  std::vector<AgentId> circle(AgentId) const { return {}; }

  /// Computes φ_{aggregator,self} of a round. Zero for the agent's own sum, because a stream that the
  /// aggregator knows hides nothing from it.
  void begin(AgentId aggregator, std::span<const AgentId> circle, std::uint32_t round, std::span<Word> mask);

 private:
  const Neighbourhood& here_;
  Ring<Word> ring_;
  std::map<AgentId, Prg> streams_;
  WipedVector<std::byte> drawn_;  // a piece of a stream
};

}  // namespace tacit
