// Turns that all agents of an enduring sum take together: in each, an agent says something, if only that it
// is still there, to every neighbour, and hears every neighbour. So nobody waits for somebody who waits for
// it, and whoever is lost is missed by all its neighbours within a turn. For protocol exact's own files.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <limits>
#include <span>
#include <vector>

#include "tacit/protocol/channel/channel.hpp"
#include "tacit/protocol/channel/task.hpp"
#include "tacit/protocol/exact/lists.hpp"

namespace tacit {

class Lockstep {
 public:
  /// Turns that are left for ways around those who are lost.
  static constexpr std::size_t slack = 4;
  /// How many turns a climb takes in a tree of this depth.
  static std::size_t climb_turns(std::size_t depth) { return 1 + depth + slack; }

  /// Throws Error when there is no way to the originator. All must outlive it.
  Lockstep(Channel& net, const Gathering& who, AgentId originator);

  bool top() const { return level_ == 0; }
  std::uint32_t run() const { return run_; }
  const PathTree& tree() const { return tree_; }
  /// Neighbours that were missed so far.
  const std::vector<AgentId>& missed() const { return missed_; }

  /// Down the tree, to all that are at most `deep` links below the originator, whose item it is. Whoever has
  /// lost its parent, or has not got it when it should have, asks all its neighbours. Gives the item, or
  /// nothing where it did not arrive.
  Task<Parcel> tell(Parcel item, std::size_t deep);

  /// Up the tree, from at most `deep` links below. Gives all items at the top.
  Task<std::vector<Parcel>> gather(std::vector<Parcel> items, std::size_t deep);

  /// Up the ways on which the last item was told, one parcel from each agent that holds all that came from
  /// below, which `merge` has taken in. The tree alone would not do: near the top an agent has only one
  /// neighbour above it, and all below that one would be cut off with it.
  using Merge = std::function<void(std::span<const std::byte>)>;
  using Pack = std::function<Parcel()>;
  Task<void> climb(Merge merge, Pack pack);

  /// To everybody over all links, so that all who can be reached get it, whoever is lost on the way, as long
  /// as one who stays has it. An agent that has it passes it on and takes no further turn. Only what `holds`
  /// counts.
  using Holds = std::function<bool(std::span<const std::byte>)>;
  Task<Parcel> flood(Parcel item, Holds holds);

 private:
  static constexpr std::uint32_t never = std::numeric_limits<std::uint32_t>::max();
  struct Neighbour {
    AgentId agent = 0;
    bool child = false, nearer = false;  // to the originator
    bool here = true;
    std::uint32_t told = never;  // after how many turns it had got the last item
    Parcel out = {}, in = {};
  };
  void say();
  Task<std::size_t> take_turn();  // gives how many are left
  bool orphan() const;
  Neighbour* above();        // the parent, or who does as well
  Neighbour* told_before();  // the same for a climb

  Channel& net_;
  const PathTree& tree_;
  const std::uint32_t run_;
  const std::size_t level_, depth_;
  std::uint32_t turn_ = 0;
  std::uint32_t told_ = never;  // as of a neighbour
  AgentId teller_ = 0;          // who told it
  std::vector<Neighbour> neighbours_;
  std::vector<AgentId> missed_;
};

}  // namespace tacit
