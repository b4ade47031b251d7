// The data of a simulated consortium over the ranks of a team: each rank reads a part of them and gets the
// rows of its experts.
#pragma once

#include <vector>

#include "tacit/lab/study/parties/parties.hpp"
#include "tacit/ranks/rank_crew.hpp"
#include "tacit/ranks/team/team.hpp"

namespace tacit {

/// What a rank has once the data are read.
struct SharedParties {
  Parties parties;         ///< rows are none; rank 0 has all else
  std::vector<Held> rows;  ///< by agent
};

/// Every rank calls it. No rank ever holds much more than its share of the rows, but for those of the test.
/// Experts are as one process forms them. Throws as gather_parties does, on all ranks the same.
SharedParties gather_parties(Team& team, PartyOptions options, const CommitteeOptions& committee,
                             unsigned threads);

}  // namespace tacit
