// The rate at which consensus converges on a graph.
//
// Threads: any thread may call consensus_rate.
// Errors: InputError and Error, as described below.
// Stopping: throws Stopped when the StoppableWork of its thread (base/stop.hpp) is stopped. A
// decomposition of a matrix that has begun is finished first.
#pragma once

#include "tacit/graph/graph.hpp"
#include "tacit/graph/metropolis.hpp"

namespace tacit {

/// Methods to compute λ. Their results agree. `automatic` chooses a fast method. Graphs of up to 60 agents
/// always use `dense`.
enum class RateMethod {
  automatic,
  dense,       ///< all eigenvalues of the full matrix; for small graphs
  factorised,  ///< Lanczos on the inverse of I - W; for large graphs similar to lines, rings or planes
  iterated,    ///< Lanczos on W; for large graphs that mix well
};

/// Returns λ = ρ(W - 11ᵀ/M), the factor by which disagreement shrinks in one iteration, accurate to 1e-12. As
/// W ⪰ 0 (Lemma lem:tech), it is the second largest eigenvalue of W. 0 for a single agent, 1 for a graph that
/// is not connected. The same arguments give the same result. Takes at most a few seconds for 10,000 agents.
/// Throws InputError if the weights are for another graph, and Error if the eigenvalue does not converge;
/// `automatic` has then tried all feasible methods.
double consensus_rate(const Graph& graph, const MetropolisWeights& weights,
                      RateMethod method = RateMethod::automatic);

}  // namespace tacit
