// The rival `shares`: two servers predict from additive shares of all parties' rows (Luo et al. 2023,
// "Practical Privacy-Preserving Gaussian Process Regression via Secret Sharing"), adapted to the product of
// experts (DGPR) as the paper did.
//
// A baseline for measurements: agents never run it, and it must not be used to protect anything. Two servers
// that collude, or a dealer that colludes with one of them, know every row. docs/rivals.md describes what is
// published, what is our reading of it, and how precise it is.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "tacit/consortium/predict/local.hpp"
#include "tacit/lab/study/parties/parties.hpp"

namespace tacit {

struct SharesOptions {
  std::uint64_t seed = 1;
  unsigned threads = 0;        ///< 0: all cores
  double latency = 0.2e-3;     ///< seconds per message on the virtual clock
  double limit_seconds = 300;  ///< of the online phases and of the preparation; a longer run is stopped
  /// Adds σ_ε² to V_i, instead of the latent variance of (posterior).
  bool noise_in_variance = false;
  /// Outputs are predicted together if their preparation fits in this many bytes, otherwise in groups.
  std::size_t most_preparation = std::size_t{4} << 30;
};

/// The cost of one phase, in real seconds on this machine. The network's seconds are of the virtual clock.
struct SharesPhase {
  double work_seconds = 0;     ///< sum over servers, dealer and parties
  double longest_seconds = 0;  ///< the busiest server, or the dealer
  double network_seconds = 0;
  std::uint64_t rounds = 0, messages = 0, bytes = 0;

  double seconds() const { return longest_seconds + network_seconds; }
  SharesPhase& operator+=(const SharesPhase& other);
};

struct SharesRun {
  Prediction
      prediction;  ///< the fused prediction, the only result that is opened; empty if the run was stopped
  /// Seconds until it was clear that the online phases, or the preparation, would exceed the limit.
  std::optional<double> stopped_after;
  std::string stopped_in;  ///< the phase in which the run was stopped

  SharesPhase preparation;  ///< the dealer's, timed separately
  SharesPhase sharing, kernel, inversion, prediction_phase, opening;

  std::size_t inversions = 0;  ///< matrices: parties times outputs
  /// Rounds if the matrices were inverted one after the other: the published 22 N − 6 of each, or more if its
  /// pivots take more than 8 steps.
  std::uint64_t rounds_of_inversions = 0;

  /// All phases except the preparation.
  SharesPhase online() const;
  /// The online time as the table counts it: the busiest server and the network. Not used for "> 300 s"
  /// cells.
  double seconds() const { return online().seconds(); }
};

/// Predicts at the test points of `parties`, with the paper's kernel and the same hyperparameters for all.
/// The same seed gives the same prediction to the bit. Throws InputError if public facts show that the
/// numbers do not fit fixed point, and Error if opened numbers are outside their public bounds.
SharesRun run_shares(const Parties& parties, const OutputHyperparameters& shared,
                     const SharesOptions& options = {});

}  // namespace tacit
