// The component lab: all agents of a consortium in one process. A user of it includes only this header.
//
//   const tacit::ConsortiumModel model = tacit::fit_consortium(parties, tacit::se());
//   const tacit::Prediction p = model.predict(points);
//
// Threads: any number of threads may call functions and const member functions at the same time. A
// Simulator belongs to one thread at a time.
// Errors: InputError for arguments that the caller must correct, Error for other failures (base/error.hpp).
// Stopping: with StoppableWork (base/stop.hpp) long work throws Stopped.
#pragma once

#include "tacit/gp.hpp"
#include "tacit/graph.hpp"
#include "tacit/lab/enduring/enduring.hpp"
#include "tacit/lab/simulator/simulator.hpp"
#include "tacit/lab/study/consortium_model.hpp"
#include "tacit/protocol.hpp"
