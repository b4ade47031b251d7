// Options of the consensus beyond the paper, each off unless asked for.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace tacit {

/// Where masks come from: shares of zero sent by neighbours (the paper's), or streams from pairwise keys.
enum class MaskSource { shares, seeded };

/// How the neighbourhood sums are used: (metroFinal), or two steps at a time by Chebyshev's polynomials.
enum class Acceleration { none, chebyshev };

/// The words that charters and options use for them. Parsing throws InputError, listing the known words.
std::string to_string(MaskSource masks);
std::string to_string(Acceleration acceleration);
MaskSource parse_mask_source(std::string_view name);
Acceleration parse_acceleration(std::string_view name);

struct Hardening {
  MaskSource masks = MaskSource::shares;
  Acceleration acceleration = Acceleration::none;
  unsigned blinding = 0;  ///< bits of zero-sum noise above the value range; 0 is none
};

}  // namespace tacit
