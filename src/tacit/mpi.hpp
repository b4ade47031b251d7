// The component mpi: one party's rows over the processes of mpirun. A user of it includes only this header.
//
// Threads: a Team belongs to one thread at a time.
// Errors: InputError for arguments that the caller must correct, Error for other failures (base/error.hpp),
// for example if a rank has ended.
// Stopping: with StoppableWork (base/stop.hpp) long work throws Stopped.
#pragma once

#include "tacit/gp.hpp"
#include "tacit/ranks/by_ranks.hpp"
#include "tacit/ranks/team/mpi_team.hpp"
#include "tacit/ranks/team/team.hpp"
