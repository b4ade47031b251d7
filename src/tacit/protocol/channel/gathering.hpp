// Who takes part in a run, and on which ways they reach each other.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <vector>

#include "tacit/graph/graph.hpp"

namespace tacit {

/// A tree of shortest paths from one agent to all of a roster that it can reach, the same for all who know
/// the gathering: of the neighbours that are nearer to the source, the one with the lowest id is the parent.
struct PathTree {
  std::vector<AgentId> parent;  ///< by agent; the source's is itself
  /// All that can be reached, as a walk through the tree meets them: an agent, then the branches of its
  /// children one after the other. So every branch is a stretch of it.
  std::vector<AgentId> walk;
  std::vector<std::uint32_t> place;   ///< on the walk, by agent
  std::vector<std::uint32_t> branch;  ///< how many are in an agent's branch, itself included; 0: out of reach
  std::vector<AgentId> nearest;       ///< all that can be reached, nearest to the source first
  std::vector<std::uint32_t> level;   ///< links from the source, by agent; 0 for those out of reach too

  /// Links to whoever is farthest.
  std::size_t depth() const { return level[nearest.back()]; }
};

struct Gathering {
  std::vector<AgentId> roster;  ///< ascending
  Graph graph;                  ///< of all agents; only links between two of the roster count

  /// Everybody.
  explicit Gathering(const Graph& links);
  /// Throws Error unless the roster is ascending, of agents of the graph.
  Gathering(std::vector<AgentId> who, Graph links);

  bool takes_part(AgentId agent) const;
  /// The agent's place on the roster. Throws Error when it takes no part.
  std::size_t place(AgentId agent) const;

  /// Worked out when it is first asked for, then kept, so that thousands of simulated agents share it. Lasts
  /// as long as the gathering. Any thread may call it.
  const PathTree& tree(AgentId source) const;
  /// Links from `source` to whoever of those that it can reach is farthest.
  std::size_t depth(AgentId source) const { return tree(source).depth(); }

  /// The same without some, who must be in order. Kept like trees.
  const Gathering& without(const std::vector<AgentId>& gone) const;

 private:
  struct Trees {
    std::mutex guard;
    std::map<AgentId, PathTree> by_source;
    std::map<std::vector<AgentId>, std::shared_ptr<const Gathering>> without;
  };
  std::shared_ptr<Trees> trees_ = std::make_shared<Trees>();
};

/// Who of the roster has no way to `from` over links between two of the roster.
std::vector<AgentId> unreachable(const Gathering& gathering, AgentId from);

/// One agent's place on the ways of a gathering: what somebody says to everybody goes over a tree of shortest
/// paths from it, the same tree for all who know the gathering.
class Routes {
 public:
  /// The gathering must outlive it.
  Routes(const Gathering& gathering, AgentId self) : gathering_(gathering), self_(self) {}

  /// All others of the roster, nearest first: whoever takes their messages in this order never holds up one
  /// that could have gone on. Throws Error, naming it, when one of them cannot be reached.
  const std::vector<AgentId>& others();
  /// The neighbour from which what `source` says comes.
  AgentId parent(AgentId source) { return place(source).parent; }
  /// To whom this agent passes it on; for its own, to whom it sends it.
  const std::vector<AgentId>& children(AgentId source) { return place(source).children; }

 private:
  struct Place {
    AgentId parent = 0;
    std::vector<AgentId> children;
  };
  const Place& place(AgentId source);

  const Gathering& gathering_;
  const AgentId self_;
  std::vector<AgentId> others_;
  std::map<AgentId, Place> places_;  // as far as they were asked for
};

}  // namespace tacit
