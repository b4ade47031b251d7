// Tunes the hyperparameters of a protected fit in a few noisy steps. In each step, each chunk of an agent's
// keys searches near the public numbers of the last step. Its step, clipped to length 1, is its term.
//
// Threads: plain values and functions.
// Errors: those of the openings.
// Stopping: with StoppableWork (base/stop.hpp) searches throw Stopped.
#pragma once

#include <vector>

#include "tacit/consortium/protect/histograms.hpp"
#include "tacit/consortium/protect/own_rows.hpp"
#include "tacit/consortium/protect/protected_run.hpp"
#include "tacit/gp/expert/prior.hpp"

namespace tacit {

/// How keys are dealt to chunks: public.
struct ChunkPlan {
  std::size_t kept = 1;   ///< chunks of each agent
  std::size_t dealt = 1;  ///< shares that all keys of an agent are dealt to; the first `kept` are chunks

  /// Returns the chunk of a key, or `kept` or more if it is in none.
  std::size_t chunk(double hash) const { return static_cast<std::size_t>(hash * static_cast<double>(dealt)); }
};
/// `rows` is the public number of keys of all agents.
ChunkPlan plan_chunks(double rows, std::size_t agents);

struct TuningPlan {
  ChunkPlan chunks;
  double noise = 0;    ///< of each coordinate of a step
  bool useful = true;  ///< false: noise would exceed what is learnt, so the public numbers are used
};
constexpr std::size_t tuning_steps = 8;
TuningPlan plan_tuning(const ProtectedRun& run, Index inputs, double rows, double rho);

/// Returns the public hyperparameters from which tuning starts, or those for use without tuning.
Prior public_prior(Index inputs, bool tuned);

/// One agent's side. References must outlive the task.
Task<Prior> tune_protected(ProtectedRun& run, const Scales& scales, const OwnRows& mine,
                           const TuningPlan& plan, double rho);

}  // namespace tacit
