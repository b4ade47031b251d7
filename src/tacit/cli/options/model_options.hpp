// The options that say which model: kernel, its numbers, noise, fusion, experts.
#pragma once

#include <CLI/CLI.hpp>
#include <optional>
#include <string>

#include "tacit/gp/committee/committee.hpp"
#include "tacit/gp/fit/initial_prior.hpp"

namespace tacit::cli {

struct ModelOptions {
  std::string kernel = "se", fusion = "poe", expert_split = "random";
  std::optional<double> lengthscale, signal, noise;
  CommitteeOptions committee;

  void add_to(CLI::App& command, const char* group);

  Kernel parsed_kernel() const;

  /// True if the kernel's numbers or the noise were given, by whichever option.
  bool by_hand() const;

  /// The parsed options. Throw InputError naming the option.
  Fusion checked_fusion() const;
  CommitteeOptions checked_committee(std::uint64_t seed) const;

  /// The prior for this many inputs. Numbers come from --kernel, else from --lengthscale and --signal, else
  /// they are the usual ones, as a charter's are. Throws InputError for numbers given twice.
  Prior prior(std::size_t inputs, double usual_lengthscale, double usual_noise) const;
};

}  // namespace tacit::cli
