// How well hyperparameters explain data, and which way to change them.
#pragma once

#include "tacit/gp/kernel.hpp"
#include "tacit/gp/matrix.hpp"

namespace tacit {

/// h of (lml) and its gradient in the natural parameters. For positive parameters in log space, multiply each
/// derivative by its parameter.
struct Likelihood {
  double value = 0;
  double d_lengthscale = 0;  ///< dh / d theta_l
  double d_signal = 0;       ///< dh / d theta_s
  double d_noise = 0;        ///< dh / d sigma_epsilon
  double jitter = 0;         ///< added to the diagonal of the covariance, 0 mostly (see cholesky.hpp)
};

/// The log marginal likelihood of the outputs given the inputs; several output columns are independent and
/// share the hyperparameters, so theirs are summed. Throws as `Expert::fit` does. n^3 operations in LAPACK
/// and one pass over the n^2/2 pairs; 8 n^2 bytes whatever the number of parameters.
Likelihood log_marginal_likelihood(const Matrix& inputs, const Matrix& outputs, const Hyperparameters& h);

}  // namespace tacit
