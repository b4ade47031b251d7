#include "tacit/gp/expert/prior.hpp"

#include <fmt/format.h>

#include <cmath>

#include "tacit/base/error.hpp"

namespace tacit {
namespace {

void check_noise(double noise) {
  if (!(noise >= 1e-100 && noise <= 1e100))
    throw InputError(
        fmt::format("noise is {}, but must lie between 1e-100 and 1e100; set it to the standard "
                    "deviation of the noise, or for exact data to 1e-6 of the signal",
                    noise));
}

}  // namespace

void check_hyperparameters(const Hyperparameters& h) {
  se(h.lengthscale, h.signal);
  check_noise(h.noise);
}

Prior::Prior(const Hyperparameters& h) : kernel(se(h.lengthscale, h.signal)), noise(h.noise) {}

std::vector<double> Prior::logarithms() const {
  std::vector<double> logs = kernel.logarithms();
  logs.push_back(std::log(noise));
  return logs;
}

Prior Prior::at(std::span<const double> logarithms) const {
  return {kernel.at(logarithms.first(logarithms.size() - 1)), std::exp(logarithms.back())};
}

std::vector<std::string> Prior::names() const {
  std::vector<std::string> names = kernel.names();
  names.emplace_back("noise");
  return names;
}

Prior checked_prior(const Prior& prior, Index inputs) {
  check_noise(prior.noise);
  return {prior.kernel.for_inputs(inputs), prior.noise};
}

Hyperparameters hyperparameters_of(const Prior& prior) {
  const Kernel::Leaf& leaf = prior.kernel.leaves()[0];
  if (prior.kernel != se(leaf.lengthscale.empty() ? 1. : leaf.lengthscale[0], leaf.signal))
    throw InputError(fmt::format("kernel {} is not the paper's kernel, which is se", prior.kernel.form()));
  return {leaf.lengthscale[0], leaf.signal, prior.noise};
}

}  // namespace tacit
