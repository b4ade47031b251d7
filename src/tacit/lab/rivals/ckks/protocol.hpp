// The CKKS rival at work: parties encrypt what they say, a server adds up without a key, all parties help to
// open the sum, and the server tells everybody. A baseline for measuring: never part of what agents run.
#pragma once

#include <array>
#include <cstdint>
#include <limits>
#include <optional>
#include <string_view>
#include <vector>

#include "tacit/lab/rivals/ckks/scheme.hpp"
#include "tacit/lab/simulator/simulator.hpp"

namespace tacit {

enum class CkksPhase : std::size_t {
  common_random,
  key_generation,
  common_key,
  encoding,
  encryption,
  addition,
  partial_decryption,
  merging,
};
inline constexpr std::size_t ckks_phases = 8;
std::string_view phase_name(CkksPhase phase);

/// What a phase took: of one side, or of all.
struct CkksPhaseCost {
  double seconds = 0;  ///< real ones, of everybody who computes in it
  double longest = 0;  ///< of the slowest of them
  std::uint64_t messages = 0, bytes = 0;
};

struct CkksRun {
  Values sums;                               ///< as every party got them; none when the run was stopped
  std::optional<double> stopped_after = {};  ///< seconds, when the limit was over
  std::optional<CkksPhase> stopped_in = {};
  std::size_t ciphertexts = 0;  ///< of each party
  std::array<CkksPhaseCost, ckks_phases> phases;
  SimulationCost cost;  ///< without the common random polynomial, which is made once and for all
  double encoding_error =
      0;             ///< the largest error of a value after encoding and decoding, without encryption
  double error = 0;  ///< the largest error of a sum, against adding up in the clear
  double bound = 0;  ///< of `error` (error_bound)
};

/// Sums `values`, one vector for each party, all of one length. The server is agent M of a star. Parties'
/// randomness is that of the simulator. Throws InputError for parameters that are not secure
/// (check_security). Stops when
/// the clock and the network's together are over the limit, which is looked at before every phase.
CkksRun run_ckks(const CkksParameters& parameters, const std::vector<Values>& values,
                 const SimulatorOptions& options,
                 double limit_seconds = std::numeric_limits<double>::infinity());

/// The same without a look at security, for tests on small rings.
CkksRun run_ckks(const Ckks& scheme, const std::vector<Values>& values, const SimulatorOptions& options,
                 double limit_seconds = std::numeric_limits<double>::infinity());

}  // namespace tacit
