// The data of a simulated consortium over the ranks of a team: each rank reads a part of the data and
// receives the rows of its experts.
#pragma once

#include <vector>

#include "tacit/lab/study/parties/parties.hpp"
#include "tacit/ranks/rank_crew.hpp"
#include "tacit/ranks/team/team.hpp"

namespace tacit {

/// What a rank holds after reading.
struct SharedParties {
  Parties parties;         ///< without rows; complete only on rank 0
  std::vector<Held> rows;  ///< by agent
};

/// Called by all ranks. No rank ever holds much more than its share of the rows and the test rows. Experts
/// are the same as in one process. Throws as gather_parties() does, the same on all ranks.
SharedParties gather_parties(Team& team, PartyOptions options, const CommitteeOptions& committee,
                             unsigned threads);

}  // namespace tacit
