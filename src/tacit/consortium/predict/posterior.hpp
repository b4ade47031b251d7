// The prediction of a consortium.
#pragma once

#include <cstddef>

#include "tacit/gp/matrix.hpp"

namespace tacit {

/// Each matrix is points × targets, in the data's units.
struct ConsortiumPosterior {
  Matrix mean;
  Matrix latent_variance;
  Matrix observed_variance;  ///< latent variance plus noise
  std::size_t unconverged =
      0;  ///< number of variances that are not positive because the consensus had too few rounds
};

}  // namespace tacit
