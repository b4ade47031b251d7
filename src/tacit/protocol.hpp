// The component `protocol`: secure sums and averages over any network (docs/library.md). Each header states
// its thread safety, its errors, and how to stop long work.
//
// Threads: functions and const member functions may run on any number of threads; a channel, a run and a task
// belong to one thread at a time.
// Errors: InputError for arguments that the caller must correct, Error for other failures.
// Stopping: with StoppableWork (base/stop.hpp) long work throws Stopped.
#pragma once

#include "tacit/base/error.hpp"
#include "tacit/base/stop.hpp"
#include "tacit/graph/connectivity.hpp"
#include "tacit/graph/generators.hpp"
#include "tacit/graph/graph.hpp"
#include "tacit/graph/metropolis.hpp"
#include "tacit/graph/spectrum.hpp"
#include "tacit/protocol/bounded/bounded_sum.hpp"
#include "tacit/protocol/channel/channel.hpp"
#include "tacit/protocol/channel/payload.hpp"
#include "tacit/protocol/channel/tag.hpp"
#include "tacit/protocol/channel/task.hpp"
#include "tacit/protocol/consensus/bounds.hpp"
#include "tacit/protocol/consensus/consensus.hpp"
#include "tacit/protocol/consensus/hardening.hpp"
#include "tacit/protocol/consensus/plan.hpp"
#include "tacit/protocol/exact/exact.hpp"
#include "tacit/protocol/run/gathering.hpp"
#include "tacit/protocol/run/run.hpp"
#include "tacit/protocol/run/run_keys.hpp"
#include "tacit/protocol/run/transcript.hpp"
#include "tacit/secrecy/discrete_gaussian.hpp"
#include "tacit/secrecy/pairwise.hpp"
#include "tacit/secrecy/prg.hpp"
#include "tacit/secrecy/privacy_loss.hpp"
#include "tacit/secrecy/signature.hpp"
#include "tacit/secrecy/wiped.hpp"
