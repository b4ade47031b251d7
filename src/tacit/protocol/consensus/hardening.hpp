// Options of the consensus that go beyond the paper. Each is off by default.
//
// Threads: any thread may call these functions.
// Errors: InputError from parsing.
// Stopping: no function runs long.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace tacit {

/// The source of masks: shares of zero sent by neighbours (as in the paper), or streams from pairwise keys.
enum class MaskSource { shares, seeded };

/// How the neighbourhood sums are used: as in (metroFinal), or by a two-step recursion with Chebyshev
/// polynomials.
enum class Acceleration { none, chebyshev };

/// Convert to and from the words in charters and options. Parsing throws InputError, listing the known words.
std::string to_string(MaskSource masks);
std::string to_string(Acceleration acceleration);
MaskSource parse_mask_source(std::string_view name);
Acceleration parse_acceleration(std::string_view name);

struct Hardening {
  MaskSource masks = MaskSource::shares;
  Acceleration acceleration = Acceleration::none;
  unsigned blinding = 0;  ///< bits of zero-sum noise above the value range; 0 means none
};

/// That of agents, unless their charter has another. Studies of the paper's protocol have none.
inline constexpr Hardening hardening_of_agents{
    .masks = MaskSource::seeded, .acceleration = Acceleration::chebyshev, .blinding = 40};

}  // namespace tacit
