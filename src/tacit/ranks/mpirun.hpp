// What launchers tell a process by its environment.
#pragma once

namespace tacit {

/// Whether mpirun or a scheduler started this process as one of several.
bool started_as_rank();

/// Threads for each rank when nobody names a number: the machine's cores, shared by the ranks that mpirun
/// started on it.
unsigned threads_of_rank();

}  // namespace tacit
