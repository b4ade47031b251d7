// What the table shows of a rival in addition to the numbers of a row.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <vector>

namespace tacit {

/// The time, bytes and precision of a phase; means over the draws. Seconds are real, except those of the
/// network.
struct RivalPhase {
  std::string name;
  bool before_the_total = false;  ///< timed separately, as the preparation of [11]
  double work = 0, longest = 0, network = 0;
  std::uint64_t rounds = 0, messages = 0, bytes = 0;
  double error = std::numeric_limits<double>::quiet_NaN();  ///< the largest up to this phase, if it is known
};

/// A run that has taken, or would have taken, longer than the paper's limit.
struct RivalStop {
  double after = 0;  ///< seconds until this was clear
  std::string in;    ///< the phase in which the run was stopped
  /// The preparation is not in the total and has its own limit. The later phases are then not known.
  bool before_the_total() const { return in == preparation_phase; }

  static constexpr const char* preparation_phase = "preparation";
};

struct RivalFacts {
  std::size_t column = 0;       ///< of the published table: 0 is [11], 1 is [12]
  std::string parameters = {};  ///< as text
  std::optional<RivalStop> stopped = {};
  std::vector<RivalPhase> phases = {};
};

/// The paper gives no time above this.
inline constexpr double rival_limit_seconds = 300;

}  // namespace tacit
