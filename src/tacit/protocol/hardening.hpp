// Options of the consensus beyond the paper, each off unless asked for.
#pragma once

#include <cstddef>

namespace tacit {

/// Where masks come from: shares of zero sent by neighbours (the paper's), or streams from pairwise keys.
enum class MaskSource { shares, seeded };

/// How the neighbourhood sums are used: (metroFinal), or two steps at a time by Chebyshev's polynomials.
enum class Acceleration { none, chebyshev };

struct Hardening {
  MaskSource masks = MaskSource::shares;
  Acceleration acceleration = Acceleration::none;
  unsigned blinding = 0;  ///< bits of zero-sum noise above the value range; 0 is none
};

}  // namespace tacit
