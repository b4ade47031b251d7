// A run of the CKKS rival: parties encrypt their values, a server adds the ciphertexts without a key, all
// parties help to open the sum, and the server sends it to them. A baseline for measurements, which agents
// never run.
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

/// The cost of a phase, for one side or for all.
struct CkksPhaseCost {
  double seconds = 0;  ///< real time, summed over all sides that compute in it
  double longest = 0;  ///< real time of the slowest side
  std::uint64_t messages = 0, bytes = 0;
};

struct CkksRun {
  Values sums;                               ///< as received by each party; empty if the run was stopped
  std::optional<double> stopped_after = {};  ///< seconds, if the limit was exceeded
  std::optional<CkksPhase> stopped_in = {};
  std::size_t ciphertexts = 0;  ///< of each party
  std::array<CkksPhaseCost, ckks_phases> phases;
  SimulationCost cost;        ///< without the common random polynomial, which is generated only once
  double encoding_error = 0;  ///< the largest error of a value by encoding and decoding, without encryption
  double error = 0;           ///< the largest error of a sum, compared with the sum of the plain values
  double bound = 0;           ///< the bound on `error` (error_bound)
};

/// Sums `values`, one vector for each party, all of the same length. The server is agent M of a star. The
/// parties' randomness is that of the simulator. Throws InputError for parameters that are not secure
/// (check_security). Stops if the real and the virtual clock together exceed the limit, which is checked
/// before each phase.
CkksRun run_ckks(const CkksParameters& parameters, const std::vector<Values>& values,
                 const SimulatorOptions& options,
                 double limit_seconds = std::numeric_limits<double>::infinity());

/// The same without the check of security, for tests on small rings.
CkksRun run_ckks(const Ckks& scheme, const std::vector<Values>& values, const SimulatorOptions& options,
                 double limit_seconds = std::numeric_limits<double>::infinity());

}  // namespace tacit
