// How well a prior explains data, and which way to change it.
#pragma once

#include <vector>

#include "tacit/gp/expert/prior.hpp"
#include "tacit/gp/matrix.hpp"

namespace tacit {

/// h of (lml) and its slopes.
struct Likelihood {
  double value = 0;
  std::vector<double> slopes;  ///< dh / d log parameter, ordered as Prior::logarithms(): the noise is last
  double jitter = 0;           ///< added to the diagonal of the covariance, mostly 0 (see cholesky.hpp)
};

/// The log marginal likelihood of the outputs given the inputs; several output columns are independent and
/// share the prior, so theirs are summed. Throws as `Expert::fit` does. n^3 operations in LAPACK and one pass
/// over the n^2/2 pairs; 8 n^2 bytes whatever the number of parameters.
Likelihood log_marginal_likelihood(const Matrix& inputs, const Matrix& outputs, const Prior& prior);

}  // namespace tacit
