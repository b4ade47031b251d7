// Replaces mpi_team.cpp if MPI was not found when Tacit was built.
#include "tacit/base/error.hpp"
#include "tacit/ranks/team/mpi_team.hpp"
#include "tacit/ranks/team/mpirun.hpp"
#include "tacit/ranks/team/thread_team.hpp"

namespace tacit {

std::unique_ptr<Team> ranks_of_mpi() {
  if (started_as_rank())
    throw Error("this build of tacit has no MPI: install libopenmpi-dev and build again");
  return alone();
}

}  // namespace tacit
