// Reads what launchers put into the environment of a process.
#pragma once

namespace tacit {

/// Returns whether mpirun or a scheduler started this process as one of several.
bool started_as_rank();

/// Return the number of processes and the rank of this one, whether or not MPI knows of them.
unsigned ranks_started();
unsigned rank_started();

/// Returns whether Open MPI's mpirun started this process.
bool started_by_mpirun();

/// Returns the default number of threads for each rank: the machine's cores, divided by the number of ranks
/// that mpirun started on it.
unsigned threads_of_rank();

/// Return the number of the machine's cores that mpirun may use, and a rank's share of them. If mpirun binds
/// ranks to cores, a rank may use fewer.
unsigned cores_of_machine();
unsigned share_of_cores();

}  // namespace tacit
