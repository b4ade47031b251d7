// The rival `shares`: two servers predict together from additive shares of everybody's rows (Luo et al. 2023,
// "Practical Privacy-Preserving Gaussian Process Regression via Secret Sharing"), adapted to the product of
// experts (DGPR) as the paper did.
//
// A baseline for measuring, never part of what agents run and not to be used to protect anything: two servers
// that talk to each other, or a dealer that talks to one of them, know every row. docs/rivals.md says what is
// published, what is our reading of it, and how precise it is.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "tacit/consortium/predict/local.hpp"
#include "tacit/lab/study/parties.hpp"

namespace tacit {

struct SharesOptions {
  std::uint64_t seed = 1;
  unsigned threads = 0;        ///< 0: all cores
  double latency = 0.2e-3;     ///< seconds per message on the virtual clock
  double limit_seconds = 300;  ///< of the online phases, and of the preparation: what would take longer stops
  /// V_i with σ_ε² added, instead of the latent variance of (posterior).
  bool noise_in_variance = false;
  /// Outputs are predicted together as long as their preparation fits in this many bytes, else in groups.
  std::size_t most_preparation = std::size_t{4} << 30;
};

/// What one phase has cost. Real seconds on this machine, but for the network's, which are on the virtual
/// clock.
struct SharesPhase {
  double work_seconds = 0;     ///< sum over everybody
  double longest_seconds = 0;  ///< the busiest server, or the dealer
  double network_seconds = 0;
  std::uint64_t rounds = 0, messages = 0, bytes = 0;

  double seconds() const { return longest_seconds + network_seconds; }
  SharesPhase& operator+=(const SharesPhase& other);
};

struct SharesRun {
  Prediction prediction;  ///< the fused one, all that is opened; empty when the run was stopped
  /// Seconds when it was clear that the online phases, or the preparation, would exceed the limit.
  std::optional<double> stopped_after;
  std::string stopped_in;  ///< the phase that was being run then

  SharesPhase preparation;  ///< the dealer's, timed apart
  SharesPhase sharing, kernel, inversion, prediction_phase, opening;

  std::size_t inversions = 0;  ///< matrices: parties times outputs
  /// If they were inverted one after the other: the published 22 N − 6 of each, or more where its pivots take
  /// more than 8 steps.
  std::uint64_t rounds_of_inversions = 0;

  /// Everything but the preparation.
  SharesPhase online() const;
  /// Online, as the table counts: the busiest server and the network; "> 300 s" cells have none.
  double seconds() const { return online().seconds(); }
};

/// Predicts at the test points of `parties`, with the paper's kernel and the same hyperparameters for all.
/// The same seed gives the same prediction to the bit. Throws InputError where public facts show that fixed
/// point cannot hold the numbers, and Error if what is opened lies outside of its public bounds.
SharesRun run_shares(const Parties& parties, const OutputHyperparameters& shared,
                     const SharesOptions& options = {});

}  // namespace tacit
