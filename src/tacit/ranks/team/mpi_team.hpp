// The ranks that mpirun started, of which this process is one. Programs that use it link MPI (tacit::mpi).
#pragma once

#include <memory>

#include "tacit/ranks/team/team.hpp"

namespace tacit {

/// A team of one where no mpirun started this process. Throws Error under mpirun when this build has no MPI,
/// and InputError when a launcher has started several processes of which Open MPI knows nothing.
/// May be called once; the last that a rank does is to let it go.
std::unique_ptr<Team> ranks_of_mpi();

}  // namespace tacit
