// Masks without messages: every two neighbours of an aggregator have a stream in common, which one adds and
// the other takes off, so that the masks of (mask) still sum to zero (lem:zeroshare).
#pragma once

#include <cstdint>
#include <map>
#include <span>
#include <vector>

#include "tacit/protocol/channel.hpp"
#include "tacit/secrecy/wire.hpp"

namespace tacit {

template <class Word>
class SeededMasks {
 public:
  SeededMasks(const Neighbourhood& here, const PairKeys& keys, std::uint32_t run, const Ring<Word>& ring);

  /// φ_{aggregator,self} of a round. Zero for the agent's own sum: a stream the aggregator knows hides
  /// nothing from it.
  void make(AgentId aggregator, std::uint32_t round, std::span<Word> mask);

 private:
  const Neighbourhood& here_;
  Ring<Word> ring_;
  std::map<AgentId, Prg> streams_;
  WipedVector<std::byte> drawn_;  // a piece of a stream
};

}  // namespace tacit
