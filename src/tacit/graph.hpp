// The component graph: networks of agents, their connectivity and the speed of averaging on them. A user of
// it includes only this header.
//
// Threads: any number of threads may call functions and const member functions at the same time.
// Errors: InputError for arguments that the caller must correct, Error for other failures (base/error.hpp).
// Stopping: with StoppableWork (base/stop.hpp) long work throws Stopped.
#pragma once

#include "tacit/base/error.hpp"
#include "tacit/graph/connectivity.hpp"
#include "tacit/graph/generators.hpp"
#include "tacit/graph/graph.hpp"
#include "tacit/graph/metropolis.hpp"
#include "tacit/graph/spectrum.hpp"
