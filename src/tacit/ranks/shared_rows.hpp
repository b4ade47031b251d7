// One party's rows over the ranks of a team: each rank reads a part of the rows and receives those of its
// experts.
#pragma once

#include <functional>
#include <memory>

#include "tacit/ranks/rank_crew.hpp"
#include "tacit/ranks/team/joint_work.hpp"
#include "tacit/table/rows/samples.hpp"

namespace tacit {

/// Distributes one party's rows: those that `own` returns on each rank, in the order of ranks. A rank may
/// have none. If `own` throws on one rank, all ranks throw the same.
Held gather_rows(Team& team, const std::function<Samples()>& own, const CommitteeOptions& committee,
                 unsigned threads);

/// The rows of one party, numbered in the order of ranks.
struct RowsByRank {
  Samples own;
  std::vector<std::size_t> first;  ///< the number of each rank's first row, then the total
};

/// Every rank calls it inside together.run(). A rank may have no rows. Throws InputError if columns differ.
RowsByRank joined(JointWork& together, Samples own);

/// Sends each rank the rows of its experts; `party` is the number of the party (lanes_of). Every rank calls
/// it.
Held deal(Team& team, const RowsByRank& rows, const CommitteeOptions& committee, unsigned threads,
          std::size_t party = 0);

}  // namespace tacit
