// The team of the ranks that mpirun started. Programs that use it link MPI (tacit::mpi).
//
// Threads: call ranks_of_mpi once, on the main thread.
// Errors: as described below.
// Stopping: a wait for another rank ends when its message arrives or MPI reports the rank as lost.
#pragma once

#include <memory>

#include "tacit/ranks/team/team.hpp"

namespace tacit {

/// Returns the team of this process; a team of one if mpirun did not start it. Throws Error under mpirun if
/// this build has no MPI. Throws InputError if a launcher has started several processes that Open MPI does
/// not know of. May be called once. A rank must destroy the team as its last action.
std::unique_ptr<Team> ranks_of_mpi();

}  // namespace tacit
