// The options that say which model: kernel, its numbers, noise, fusion, experts.
#pragma once

#include <CLI/CLI.hpp>
#include <optional>
#include <string>

#include "tacit/gp/committee.hpp"
#include "tacit/gp/start.hpp"

namespace tacit::cli {

struct ModelOptions {
  std::string kernel = "se", fusion = "poe", expert_split = "random";
  std::optional<double> lengthscale, signal, noise;
  CommitteeOptions committee;

  void add_to(CLI::App& command, const char* group);

  Kernel parsed_kernel() const;

  /// The parsed options. Throw InputError naming the option.
  Fusion checked_fusion() const;
  CommitteeOptions checked_committee(std::uint64_t seed) const;

  /// The prior for data of this scale. Numbers come from --kernel, else from --lengthscale and --signal, else
  /// they are the usual ones. Throws InputError for numbers given twice.
  Prior prior(const DataScale& scale, double usual_noise) const;
};

/// For data about which nothing is known: a length-scale and a signal of 1.
DataScale unit_scale(std::size_t inputs);

}  // namespace tacit::cli
