// One party's rows over all ranks, for programs that mpirun starts:
//
//   const std::unique_ptr<Team> team = ranks_of_mpi();  // mpi_team.hpp
//   by_ranks(*team, read_my_part, {}, [](const auto& crew) { use(Committee(crew)); });
#pragma once

#include <functional>
#include <memory>

#include "tacit/gp/committee/crew.hpp"
#include "tacit/ranks/team/team.hpp"
#include "tacit/table/row_blocks.hpp"

namespace tacit {

/// Every rank calls it. `own` gives a rank's part of the rows, which may be none: all parts, one rank's after
/// the other's, are the party's rows. They go to the ranks whose experts need them. Then rank 0 calls `lead`,
/// and the others compute what its crew is asked for until that ends. What the crew finds is what one process
/// with all rows would find, to the bit. It has no experts to give (Committee::fit), and is not to be used
/// afterwards.
///
/// Throws what `own` throws on a rank, on all of them, and InputError for rows that cannot be learnt from or
/// are to be split by clusters, or when releases or processors differ; at rank 0 what `lead` throws, and
/// Error, naming the rank, when one has ended.
void by_ranks(Team& team, const std::function<Samples()>& own, const CommitteeOptions& committee,
              const std::function<void(const std::shared_ptr<const Crew>&)>& lead);

}  // namespace tacit
