// Leaving between rounds, which the paper's remark after Theorem 2 allows: masks are new in every round, so
// an agent may stop after a complete round, and the others go on to the average of their states at that time.
//
// In every round an agent sends its neighbours a roll, beside its shares: whether this round is its last, and
// which neighbours had theirs in the round before. So a departure is known to the neighbours when the next
// round begins, and two hops away before that round's weights are used; no round takes longer because of it.
#pragma once

#include "tacit/protocol/channel/channel.hpp"
#include "tacit/protocol/channel/task.hpp"

namespace tacit {

/// An agent's neighbourhood over the rounds of one run.
class RollCall {
 public:
  /// The channel must outlive it.
  RollCall(Channel& net, std::uint32_t run, std::size_t rounds);

  /// Who takes part in this round. The neighbours of neighbours are known after `close`.
  const Neighbourhood& here() const { return here_; }

  /// Begins a round: drops the neighbours whose last round is over, and sends the roll. True if any were.
  bool open(std::uint32_t round);

  /// Takes in the neighbours' rolls. True if a neighbour has lost a neighbour. Throws Error when the agent's
  /// own circle would no longer hold (circle_holds) without those who leave: it then sends no share of the
  /// next round, so that nobody sends it a masked value. Also when this agent leaves and might be all that
  /// keeps others connected, and when a roll is malformed.
  Task<bool> close(std::uint32_t round);

  /// Is the round that was opened this agent's last?
  bool last() const { return last_; }

 private:
  void check_circle(std::uint32_t round) const;
  void check_own_leave(std::uint32_t round) const;
  bool read(std::size_t neighbour, const Tag& tag, const Payload& roll);

  Channel& net_;
  const std::uint32_t run_;
  const std::size_t rounds_;
  Neighbourhood here_;
  const bool held_;  // did the circle hold to begin with
  bool last_ = false;
  std::vector<AgentId> leaving_;  // neighbours in their last round, ascending
};

}  // namespace tacit
