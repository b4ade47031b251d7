// A zero-mean Gaussian-process prior and its noise.
//
// Threads: plain values; const functions may run on any number of threads.
// Errors: InputError for parameters that cannot be used.
// Stopping: nothing here takes long.
#pragma once

#include <utility>
#include <vector>

#include "tacit/gp/kernel/kernel.hpp"

namespace tacit {

/// The paper's Θ = [theta_l; theta_s] and sigma_epsilon, for the isotropic squared exponential of (kernel).
struct Hyperparameters {
  double lengthscale = 1;  ///< theta_l
  double signal = 1;       ///< theta_s
  double noise = 0.1;      ///< sigma_epsilon

  bool operator==(const Hyperparameters&) const = default;
};

/// Throws InputError, naming the parameter and its value, unless all three are between 1e-100 and 1e100. The
/// paper assumes that they are positive; their squares must be neither subnormal nor infinite.
void check_hyperparameters(const Hyperparameters& h);

/// A Gaussian-process prior with Gaussian noise: f ~ GP(0, kernel), y = f(x) + noise.
struct Prior {
  Prior() = default;
  Prior(Kernel k, double n) : kernel(std::move(k)), noise(n) {}
  Prior(const Hyperparameters& h);  // NOLINT: the paper's is a special case

  Kernel kernel;
  double noise = Hyperparameters{}.noise;  ///< sigma_epsilon, a standard deviation

  /// Returns the natural logarithms of the kernel's parameters, then that of the noise.
  std::vector<double> logarithms() const;
  /// Returns the prior with these logarithms.
  Prior at(std::span<const double> logarithms) const;
  /// Returns the names of the parameters: those of Kernel::names(), then "noise".
  std::vector<std::string> names() const;

  bool operator==(const Prior&) const = default;
};

/// Returns the prior for this number of inputs (Kernel::for_inputs). Throws InputError if the noise is not
/// between 1e-100 and 1e100, or the kernel has another number of length-scales.
Prior checked_prior(const Prior& prior, Index inputs);

/// Returns the length-scale, signal and noise of a prior whose kernel is se with one length-scale. Throws
/// InputError for any other kernel.
Hyperparameters hyperparameters_of(const Prior& prior);

}  // namespace tacit
