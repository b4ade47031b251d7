// Learns the weights of the shared part of a model by noisy gradient rounds. In each round a key adds
// v_i·clip(y_i - φ_i'w), where v_i = φ_i/Λ_i is weighted by direction, at most D in norm. All rounds are then
// combined (regression.hpp), so that the posterior knows their noise.
//
// Threads: plain values and functions.
// Errors: those of the openings.
// Stopping: as for the openings, and with StoppableWork (base/stop.hpp) in each round.
#pragma once

#include <vector>

#include "tacit/consortium/protect/basis.hpp"
#include "tacit/consortium/protect/protected_run.hpp"
#include "tacit/consortium/protect/regression.hpp"

namespace tacit {

/// Rows of one agent in a basis.
struct BasisRows {
  BasisRows(const Basis& basis, const Scales& scales, const OwnRows& mine);

  Matrix inputs;    ///< in standard units, one column a row
  Vector targets;   ///< in standard units
  Matrix features;  ///< one column a row
  Vector lambda;
};

/// What all agents know after the rounds.
struct RoundsState {
  std::vector<Index> directions;  ///< of the basis, that the rounds observe
  Vector weights;                 ///< the relative precision of each, at most 1
  ObservedRounds rounds;
  Vector mean;         ///< w, the mean of the weights
  Vector information;  ///< about each weight; its posterior variance is 1/(1 + information)
  double clip = 1;     ///< steers D by the counts of clipped terms
  double mismatch = 0;
  std::vector<double> bounds;   ///< D of each round
  std::vector<double> clipped;  ///< the noisy share of clipped terms in each round that counts them
};

/// What this agent added to the rounds with its noise, in the units of ObservedRounds::observed; one row a
/// round. Private.
struct OwnRounds {
  Matrix added;
};

struct RoundsPlan {
  std::vector<double> rho;  ///< of each round
  double rows = 0;          ///< the public number of keys
  /// The ρ for which directions are chosen. Rounds of a refit keep the directions of the first fit.
  double rho_of_directions = 0;
  double clip = 1.2;  ///< D, relative to the predicted deviation of a term
};

struct Rounds {
  RoundsState state;
  OwnRounds own;
};

/// The eigenvalues of A for this number of keys, if those of the basis are for `basis_rows`.
Vector eigenvalues_for(const Basis& basis, double basis_rows, double rows);

/// One agent's side. With an earlier state, continues it: `before` is that of fewer keys, by the factor
/// `share`. References must outlive the task.
Task<Rounds> run_rounds(ProtectedRun& run, const Basis& basis, const Vector& eigenvalues, const OwnRows& keys,
                        const BasisRows& mine, const RoundsPlan& plan, const Rounds* before = nullptr,
                        double share = 1);

/// What all other agents know about each weight: information and weighted sum. The posterior given them alone
/// has the variance 1/(1 + information) and the mean weighted/(1 + information).
struct OthersInformation {
  Vector information, weighted;
};
/// `own_share` is the share of this agent's keys in all.
OthersInformation others_information(const Rounds& rounds, const Vector& eigenvalues, std::size_t agents,
                                     double own_share);

}  // namespace tacit
