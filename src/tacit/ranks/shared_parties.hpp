// A consortium's data over the ranks of a team: each reads a part of them and gets the rows of its experts.
#pragma once

#include <functional>
#include <memory>

#include "tacit/ranks/rank_crew.hpp"
#include "tacit/ranks/team/together.hpp"
#include "tacit/table/parties.hpp"

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

/// The same of one party, whose rows are those that `own` gives on each rank, one rank's after the other's. A
/// rank may have none. What `own` throws on one rank, all throw.
Held gather_rows(Team& team, const std::function<Samples()>& own, const CommitteeOptions& committee,
                 unsigned threads);

/// Rows of one party, of which each rank has some, one rank's after the other's.
struct RowsByRank {
  Samples own;
  std::vector<std::size_t> first;  ///< of all rows, the first of each rank's; then their number
};

/// Every rank calls it, inside of together.run(). A rank may have none. Throws InputError when columns
/// differ.
RowsByRank joined(Together& together, Samples own);

/// Gives each rank the rows of its experts, as the party of this number (lanes_of). Every rank calls it.
Held deal(Team& team, const RowsByRank& rows, const CommitteeOptions& committee, unsigned threads,
          std::size_t party = 0);

}  // namespace tacit
