// A Python program that mpirun starts has ranks of its own: each of them calls tacit by itself.
#include "tacit/ranks/team/mpi_team.hpp"
#include "tacit/ranks/team/thread_team.hpp"

namespace tacit {

std::unique_ptr<Team> ranks_of_mpi() { return alone(); }

}  // namespace tacit
