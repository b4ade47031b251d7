// Writes and reads lists on the wire. Bytes from a peer may be anything, so a reader must check `good` at the
// end. For lab/enduring.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <utility>
#include <vector>

#include "tacit/base/types.hpp"
#include "tacit/secrecy/bytes.hpp"

namespace tacit {

using ByteList = std::vector<std::byte>;

/// Returns whether the ids are strictly ascending.
inline bool ascending(const std::vector<AgentId>& agents) {
  return std::ranges::adjacent_find(agents, std::greater_equal{}) == agents.end();
}

class ListWriter {
 public:
  void bytes(ByteSpan more) { out_.insert(out_.end(), more.begin(), more.end()); }
  template <class T>
  void value(const T& one) {
    bytes(bytes_of(one));
  }
  void list(ByteSpan more) {
    value(static_cast<std::uint32_t>(more.size()));
    bytes(more);
  }
  void agents(const std::vector<AgentId>& ids) { list(std::as_bytes(std::span(ids))); }
  ByteList done() { return std::move(out_); }

 private:
  ByteList out_;
};

class ListReader {
 public:
  explicit ListReader(ByteSpan from) : rest_(from) {}

  bool good() const { return good_; }
  bool at_end() const { return rest_.empty(); }
  /// Returns the next bytes. If there are fewer, returns none, and the reader is no longer good.
  ByteSpan bytes(std::size_t count) {
    good_ = good_ && count <= rest_.size();
    if (!good_) return {};
    const ByteSpan taken = rest_.first(count);
    rest_ = rest_.subspan(count);
    return taken;
  }
  template <class T>
  T value() {
    const ByteSpan taken = bytes(sizeof(T));
    return good_ ? value_at<T>(taken) : T{};
  }
  ByteSpan list() { return bytes(value<std::uint32_t>()); }
  std::vector<AgentId> agents() {
    const ByteSpan all = list();
    good_ = good_ && all.size() % sizeof(AgentId) == 0;
    std::vector<AgentId> ids(good_ ? all.size() / sizeof(AgentId) : 0);
    for (std::size_t k = 0; k < ids.size(); ++k) ids[k] = value_at<AgentId>(all.subspan(k * sizeof(AgentId)));
    return ids;
  }

 private:
  ByteSpan rest_;
  bool good_ = true;
};

}  // namespace tacit
