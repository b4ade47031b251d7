// Options of the model: kernel, hyperparameters, noise, fusion, experts.
#pragma once

#include <CLI/CLI.hpp>
#include <optional>
#include <string>

#include "tacit/gp/committee/committee.hpp"
#include "tacit/gp/defaults.hpp"
#include "tacit/gp/fit/initial_prior.hpp"

namespace tacit::cli {

struct ModelOptions {
  Kernel kernel = parse_kernel(consortium_defaults.kernel);
  std::optional<Fusion> fusion = paper_fusion;  ///< none: the default depends on other options
  std::optional<double> lengthscale, signal, noise;
  CommitteeOptions committee;

  void add_to(CLI::App& command, const char* group);

  /// True if the user gave the kernel's numbers or the noise, by any option.
  bool by_hand() const;

  CommitteeOptions seeded_committee(std::uint64_t seed) const;

  /// The prior for this many inputs. Numbers come from --kernel, or from --lengthscale and --signal, or are
  /// the defaults of a new charter. Throws InputError for numbers given twice.
  Prior prior(std::size_t inputs, double usual_lengthscale, double usual_noise) const;
};

/// Throws InputError, which names the setting, for a text that is not a kernel.
Kernel parsed_kernel(const std::string& text);

}  // namespace tacit::cli
