// What launchers tell a process by its environment.
#pragma once

namespace tacit {

/// Whether mpirun or a scheduler started this process as one of several.
bool started_as_rank();

/// As how many, and as which of them, whether or not MPI knows of it.
unsigned ranks_started();
unsigned rank_started();

/// Whether it was Open MPI's mpirun.
bool started_by_mpirun();

/// Threads for each rank when nobody names a number: the machine's cores, shared by the ranks that mpirun
/// started on it.
unsigned threads_of_rank();

/// Of the machine's cores those that mpirun may use, and of these a rank's share. Where mpirun binds ranks to
/// cores, a rank may use fewer.
unsigned cores_of_machine();
unsigned share_of_cores();

}  // namespace tacit
