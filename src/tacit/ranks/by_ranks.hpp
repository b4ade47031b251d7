// Spreads one party's rows over all ranks, for programs that mpirun starts:
//
//   const std::unique_ptr<Team> team = ranks_of_mpi();  // mpi_team.hpp
//   by_ranks(*team, read_my_part, {}, [](const auto& crew) { use(Committee(crew)); });
//
// Threads: each process calls by_ranks on one thread; the crew serves any number of threads.
// Errors: InputError for rows that cannot be used, Error for a rank that failed, on all ranks alike.
// Stopping: with StoppableWork (base/stop.hpp) on rank 0, the work of all ranks throws Stopped between
// experts.
#pragma once

#include <functional>
#include <memory>

#include "tacit/gp/committee/crew.hpp"
#include "tacit/ranks/team/team.hpp"
#include "tacit/table/rows/samples.hpp"

namespace tacit {

/// Every rank calls this function. `own` returns the rank's part of the rows, which may be empty. All parts,
/// in the order of ranks, are the party's rows. They are sent to the ranks whose experts need them. Then rank
/// 0 calls `lead`, and the other ranks compute for its crew until `lead` returns. The crew's results equal
/// those of one process with all rows, to the bit. The crew cannot return experts (Committee::make_experts),
/// and must not be used after `lead`.
///
/// If `own` throws on one rank, all ranks throw the same. Throws InputError if rows are invalid or are to be
/// split by clusters, or if releases or processors differ. At rank 0, throws what `lead` throws, and Error
/// with the name of the rank if a rank has ended.
void by_ranks(Team& team, const std::function<Samples()>& own, const CommitteeOptions& committee,
              const std::function<void(const std::shared_ptr<const Crew>&)>& lead);

}  // namespace tacit
