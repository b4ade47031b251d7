// Collects the messages of one step and adds them up.
#pragma once

#include <algorithm>
#include <span>
#include <utility>
#include <vector>

#include "tacit/protocol/channel/payload.hpp"
#include "tacit/protocol/channel/tag.hpp"
#include "tacit/secrecy/wire.hpp"

namespace tacit {

/// Throws the Error for a message that does not consist of `values` elements of `bits` bits.
[[noreturn]] void refuse_size(AgentId from, const Tag& tag, std::size_t bytes, std::size_t values,
                              unsigned bits);

/// Messages with one tag, in the order of arrival.
template <class Word>
class Inbox {
 public:
  explicit Inbox(const Ring<Word>& ring) : ring_(ring) {}

  void put(AgentId from, Payload message) {
    senders_.push_back(from);
    messages_.push_back(std::move(message));
  }

  /// Adds every message to `sum` and empties the inbox. Works in pieces and calls then(from, count) for every
  /// finished piece while it is in the level-1 cache. Throws Error, naming the sender, if a message and `sum`
  /// differ in size.
  template <class Then>
  void add_to(std::span<Word> sum, const Tag& tag, Then then) {
    constexpr std::size_t piece = 1024;
    for (std::size_t k = 0; k < messages_.size(); ++k)
      if (messages_[k].size() != packed_size(ring_, sum.size()))
        refuse_size(senders_[k], tag, messages_[k].size(), sum.size(), ring_.bits());
    for (std::size_t from = 0; from < sum.size(); from += piece) {
      const std::span<Word> part = sum.subspan(from, std::min(piece, sum.size() - from));
      pieces_.clear();
      for (const Payload& message : messages_)
        pieces_.push_back(message.bytes().subspan(packed_size(ring_, from), packed_size(ring_, part.size())));
      add_packed<Word>(ring_, pieces_, part);
      then(from, part.size());
    }
    senders_.clear();
    messages_.clear();  // now, so that the next message reuses buffers that are still in the cache
  }

 private:
  Ring<Word> ring_;
  std::vector<AgentId> senders_;
  std::vector<Payload> messages_;
  std::vector<ConstBytes> pieces_;  // the current piece of each message
};

}  // namespace tacit
