// The log marginal likelihood of a prior, and its gradient.
//
// Threads: any number of threads may call it.
// Errors: InputError or Error, as Expert::of does.
// Stopping: with StoppableWork (base/stop.hpp) it throws Stopped between its stages; a factorisation runs
// to its end.
#pragma once

#include <vector>

#include "tacit/gp/expert/prior.hpp"
#include "tacit/gp/matrix.hpp"

namespace tacit {

/// h of (lml) and its slopes.
struct Likelihood {
  double value = 0;
  std::vector<double> slopes;  ///< dh / d log parameter, ordered as Prior::logarithms(): the noise is last
  double jitter = 0;           ///< the jitter added to the covariance's diagonal, usually 0 (cholesky.hpp)
};

/// Returns the log marginal likelihood of the outputs given the inputs. Output columns are independent and
/// share the prior, so the result is their sum. Throws as `Expert::of` does. Takes n^3 operations in LAPACK
/// and one pass over the n^2/2 pairs of rows; 8 n^2 bytes for any number of parameters.
Likelihood log_marginal_likelihood(const Matrix& inputs, const Matrix& outputs, const Prior& prior);

}  // namespace tacit
