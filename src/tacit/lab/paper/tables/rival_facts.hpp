// What the table shows of a rival besides what it shows of us.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <vector>

namespace tacit {

/// Where a rival's time, bytes and precision go; means over the draws. Real seconds, but for the network's.
struct RivalPhase {
  std::string name;
  bool before_the_total = false;  ///< timed apart, as [11]'s preparation is
  double work = 0, longest = 0, network = 0;
  std::uint64_t rounds = 0, messages = 0, bytes = 0;
  double error = std::numeric_limits<double>::quiet_NaN();  ///< the largest so far, where it can be told
};

/// A run that would have taken longer than the paper waited for it, or has.
struct RivalStop {
  double after = 0;  ///< seconds, when that was clear
  std::string in;    ///< the phase that was being run
  /// The preparation is not in the total and has a limit of its own: nothing is known of the rest then.
  bool before_the_total() const { return in == preparation_phase; }

  static constexpr const char* preparation_phase = "preparation";
};

struct RivalFacts {
  std::size_t column = 0;       ///< of the published table: 0 is [11], 1 is [12]
  std::string parameters = {};  ///< in words
  std::optional<RivalStop> stopped = {};
  std::vector<RivalPhase> phases = {};
};

/// The paper gives no time above this.
inline constexpr double rival_limit_seconds = 300;

}  // namespace tacit
