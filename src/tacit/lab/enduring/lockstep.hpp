// Turns that all agents of an enduring sum take in lockstep. In each turn, an agent sends a message to each
// neighbour, if only to show that it is still there, and receives one from each. So no two agents wait for
// each other, and all neighbours of a lost agent notice the loss within a turn. For the files of lab/enduring
// only.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <limits>
#include <span>
#include <vector>

#include "tacit/lab/enduring/byte_lists.hpp"
#include "tacit/protocol/channel/task.hpp"
#include "tacit/protocol/run/run.hpp"

namespace tacit {

class Lockstep {
 public:
  /// Additional turns for paths around lost agents.
  static constexpr std::size_t slack = 4;
  /// The number of turns that climb() takes in a tree of this depth.
  static std::size_t climb_turns(std::size_t depth) { return 1 + depth + slack; }

  /// Throws Error if there is no path to the originator. All arguments must outlive the object.
  Lockstep(Run& net, const Gathering& who, AgentId originator);

  bool top() const { return level_ == 0; }
  std::uint32_t run() const { return run_; }
  const PathTree& tree() const { return tree_; }
  /// Neighbours whose loss was noticed so far.
  const std::vector<AgentId>& missed() const { return missed_; }

  /// Sends an item of the originator down the tree to all agents at most `deep` links below. An agent that
  /// has lost its parent, or has not received the item in time, asks all its neighbours. Returns the item, or
  /// nothing if it did not arrive.
  Task<ByteList> send_down(ByteList item, std::size_t deep);

  /// Sends items up the tree from at most `deep` links below. Returns all items at the top.
  Task<std::vector<ByteList>> gather(std::vector<ByteList> items, std::size_t deep);

  /// Sends parcels up the paths on which the last item arrived. Each agent sends one parcel that holds
  /// everything from below, which `merge` has received. The tree does not suffice: near the top, an agent has
  /// only one neighbour above it, whose loss would cut off all agents below.
  using Merge = std::function<void(std::span<const std::byte>)>;
  using Pack = std::function<ByteList()>;
  Task<void> climb(Merge merge, Pack pack);

  /// Sends an item to all agents over all links. All reachable agents receive it in spite of losses, as long
  /// as an agent that remains has it. An agent that has it forwards it and takes no further turn. Ignores
  /// items for which `holds` returns false.
  using Holds = std::function<bool(std::span<const std::byte>)>;
  Task<ByteList> flood(ByteList item, Holds holds);

 private:
  static constexpr std::uint32_t never = std::numeric_limits<std::uint32_t>::max();
  struct Neighbour {
    AgentId agent = 0;
    bool child = false, nearer = false;  // to the originator
    bool here = true;
    std::uint32_t received_at = never;  // the number of turns after which it had the last item
    ByteList out = {}, in = {};
  };
  void send_messages();
  Task<std::size_t> take_turn();  // returns the number of neighbours that remain
  bool orphan() const;
  Neighbour* above();             // the parent, or a neighbour that can replace it
  Neighbour* received_earlier();  // the same for a climb

  Run& net_;
  const PathTree& tree_;
  const std::uint32_t run_;
  const std::size_t level_, depth_;
  std::uint32_t turn_ = 0;
  std::uint32_t received_at_ = never;  // as of a neighbour
  AgentId source_ = 0;                 // the neighbour that sent the last item
  std::vector<Neighbour> neighbours_;
  std::vector<AgentId> missed_;
};

}  // namespace tacit
