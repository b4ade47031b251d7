// The keys that a run keeps, so that its next protocol execution need not exchange keys again.
//
// Threads: several threads may read the keys; they belong to the run, which one thread at a time uses.
// Errors: std::bad_alloc.
// Stopping: no function runs long.
#pragma once

#include <cstddef>
#include <map>
#include <optional>
#include <utility>
#include <vector>

#include "tacit/base/types.hpp"
#include "tacit/secrecy/pairwise.hpp"

namespace tacit {

/// The keys that an agent shares with others, by their ids.
using PairKeys = std::map<AgentId, PairKey>;

/// The keys of an exact sum.
struct MaskKeys {
  std::size_t mask_degree = 0;                    ///< of the plan for which they were made
  std::optional<AgentId> top = {};                ///< for tree sums, the root of the tree
  std::vector<std::pair<AgentId, PairKey>> keys;  ///< shared with the mask partners

  bool serve(std::size_t degree, std::optional<AgentId> whose) const {
    return mask_degree == degree && top == whose;
  }
};

}  // namespace tacit
