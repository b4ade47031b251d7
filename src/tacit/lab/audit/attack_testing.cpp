#include "tacit/lab/audit/attack_testing.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <tuple>

#include "tacit/base/error.hpp"
#include "tacit/secrecy/wire.hpp"

namespace tacit {
namespace {

using Place = std::tuple<AgentId, AgentId, Tag>;  // from, to, tag

class Messages {
 public:
  explicit Messages(std::span<const SeenMessage> seen) {
    for (const SeenMessage& message : seen)
      by_place_[{message.from, message.to, message.tag}] = message.bytes;
  }
  ConstBytes at(AgentId from, AgentId to, const Tag& tag) const {
    const auto found = by_place_.find({from, to, tag});
    if (found == by_place_.end())
      throw InputError(fmt::format("the view does not contain the {} from agent {} to agent {}",
                                   to_string(tag), from, to));
    return found->second;
  }

 private:
  std::map<Place, ConstBytes> by_place_;
};

}  // namespace

std::vector<std::vector<Integer128>> undo_masks(const Graph& graph, unsigned modulus_bits,
                                                const Coalition& coalition, AgentId aggregator,
                                                std::uint32_t run, std::uint32_t round,
                                                std::span<const SeenMessage> seen) {
  if (!std::binary_search(coalition.begin(), coalition.end(), aggregator))
    throw InputError(
        fmt::format("agent {} is not in the coalition, which therefore does not see its sums", aggregator));
  const Messages messages(seen);
  const Ring<Word128> ring(modulus_bits);
  const Tag share{run, round, aggregator, Step::share}, masked{run, round, aggregator, Step::masked};
  std::vector<std::vector<Integer128>> sums;
  for (const MaskPart& part : mask_parts(graph, MaskSource::shares, aggregator, coalition)) {
    // Summed over the part, φ_ij of (mask) is what the coalition sent to the part minus what it received from
    // it. Shares between members of the part cancel, because each keeps the negative of the sum of those it
    // sends.
    std::vector<ConstBytes> plus, minus;
    for (AgentId j : part) {
      plus.push_back(messages.at(j, aggregator, masked));
      for (AgentId c : coalition) {
        if (c != aggregator && (!graph.adjacent(c, aggregator) || !graph.adjacent(c, j))) continue;
        minus.push_back(messages.at(c, j, share));
        plus.push_back(messages.at(j, c, share));
      }
    }
    std::vector<Word128> total(plus.front().size() / ring.element_bytes(), 0);
    add_packed<Word128>(ring, plus, total);
    subtract_packed<Word128>(ring, minus, total);
    std::vector<Integer128>& sum = sums.emplace_back();
    for (Word128 word : total) sum.push_back(ring.balanced(word));
  }
  return sums;
}

}  // namespace tacit
