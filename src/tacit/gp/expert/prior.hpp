// A zero-mean Gaussian-process prior and its noise.
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

/// Throws InputError, naming the parameter and its value, unless all three lie between 1e-100 and 1e100: the
/// paper assumes them positive, and their squares must stay ordinary numbers.
void check_hyperparameters(const Hyperparameters& h);

/// What is believed before data are seen: f ~ GP(0, kernel), y = f(x) + noise.
struct Prior {
  Prior() = default;
  Prior(Kernel k, double n) : kernel(std::move(k)), noise(n) {}
  Prior(const Hyperparameters& h);  // NOLINT: the paper's is a special case

  Kernel kernel;
  double noise = 0.1;  ///< sigma_epsilon, a standard deviation

  /// The kernel's logarithms, then that of the noise; back again; and what each is called.
  std::vector<double> logarithms() const;
  Prior at(std::span<const double> logarithms) const;
  std::vector<std::string> names() const;

  bool operator==(const Prior&) const = default;
};

/// Throws InputError unless the noise lies between 1e-100 and 1e100; gives the prior for that many inputs.
Prior checked_prior(const Prior& prior, Index inputs);

/// The length-scale, signal and noise of a prior whose kernel is a plain se; throws InputError for
/// any other kernel.
Hyperparameters hyperparameters_of(const Prior& prior);

}  // namespace tacit
