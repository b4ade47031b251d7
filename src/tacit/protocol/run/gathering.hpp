// The agents that take part in a run, and the routes between them.
//
// Threads: several threads may use one Gathering. Routes belong to one thread at a time.
// Errors: Error, as described for each function.
// Stopping: no function can be stopped. The longest takes time proportional to the links of the graph.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <vector>

#include "tacit/graph/graph.hpp"

namespace tacit {

/// A tree of shortest paths from one agent to all agents of a roster that it can reach. It is the same for
/// all agents: of the neighbours that are nearer to the source, the one with the lowest id is the parent.
struct PathTree {
  std::vector<AgentId> parent;  ///< by agent; the source is its own parent
  /// The reachable agents in the order of a depth-first walk: an agent, then the branches of its children. So
  /// every branch is a contiguous stretch of the walk.
  std::vector<AgentId> walk;
  std::vector<std::uint32_t> place;   ///< on the walk, by agent
  std::vector<std::uint32_t> branch;  ///< size of an agent's branch, including itself; 0 if unreachable
  std::vector<AgentId> nearest;       ///< the reachable agents, nearest to the source first
  std::vector<std::uint32_t> level;   ///< links from the source, by agent; 0 also if unreachable

  /// Returns the number of links to the farthest agent.
  std::size_t depth() const { return level[nearest.back()]; }
};

struct Gathering {
  std::vector<AgentId> roster;  ///< ascending
  Graph graph;                  ///< of all agents; only links within the roster count

  /// All agents take part.
  explicit Gathering(const Graph& links);
  /// Throws Error unless the roster lists agents of the graph in ascending order.
  Gathering(std::vector<AgentId> who, Graph links);

  bool takes_part(AgentId agent) const;
  /// Returns the agent's place on the roster. Throws Error if the agent does not take part.
  std::size_t place(AgentId agent) const;

  /// Computed at the first call and kept, so that thousands of simulated agents share it. The reference is
  /// valid as long as the gathering. Any thread may call it.
  const PathTree& tree(AgentId source) const;
  /// Returns the number of links from `source` to the farthest agent that it can reach.
  std::size_t depth(AgentId source) const { return tree(source).depth(); }

  /// Returns the gathering without these agents, given in ascending order. Kept like trees.
  const Gathering& without(const std::vector<AgentId>& gone) const;

 private:
  struct Trees {
    std::mutex guard;
    std::map<AgentId, PathTree> by_source;
    std::map<std::vector<AgentId>, std::shared_ptr<const Gathering>> without;
  };
  std::shared_ptr<Trees> trees_ = std::make_shared<Trees>();
};

/// Returns the agents of the roster that have no path to `from` over links within the roster.
std::vector<AgentId> unreachable(const Gathering& gathering, AgentId from);

/// One agent's routes in a gathering. A statement to all agents travels over the tree of shortest paths from
/// its author, which is the same for all agents.
class Routes {
 public:
  /// The gathering must outlive it.
  Routes(const Gathering& gathering, AgentId self) : gathering_(gathering), self_(self) {}

  /// Returns all other agents of the roster, nearest first. An agent that takes their messages in this order
  /// never delays one that it could pass on. Throws Error, naming the agent, if one cannot be reached.
  const std::vector<AgentId>& others();
  /// Returns the neighbour from which statements of `source` arrive.
  AgentId parent(AgentId source) { return place(source).parent; }
  /// Returns the neighbours to which this agent passes statements of `source` on, or sends its own.
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
  std::map<AgentId, Place> places_;  // those requested so far
};

}  // namespace tacit
