// A prediction of a consortium.
#pragma once

#include <cstddef>

#include "tacit/gp/matrix.hpp"

namespace tacit {

/// At some points, points × targets, in the data's units.
struct ConsortiumPosterior {
  Matrix mean;
  Matrix latent_variance;
  Matrix observed_variance;     ///< with the noise
  std::size_t unconverged = 0;  ///< variances that are not positive: the consensus had too few rounds
};

}  // namespace tacit
