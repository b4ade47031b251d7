// The numbers of a run of the consensus on which the trajectory attack depends.
#pragma once

#include "tacit/protocol/consensus/plan.hpp"

namespace tacit {

struct AttackSettings {
  Hardening hardening;
  double lz = 0;
  double value_bound = 1;       ///< B, the public bound on contributions
  double lambda = 0;            ///< λ, from which acceleration takes its weights ω(t)
  std::size_t iterations = 0;   ///< T
  std::size_t most_sums = 240;  ///< used at most; the work grows with its cube
};

}  // namespace tacit
