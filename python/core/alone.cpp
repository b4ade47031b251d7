// No MPI in the Python package: if mpirun starts a Python program, each rank calls tacit independently.
#include "tacit/ranks/team/mpi_team.hpp"
#include "tacit/ranks/team/thread_team.hpp"

namespace tacit {

std::unique_ptr<Team> ranks_of_mpi() { return alone(); }

}  // namespace tacit
