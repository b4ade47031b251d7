// The options of `tacit plan`, what its parts share, and its work for callers that have the options as a
// struct.
#pragma once

#include <optional>
#include <string>
#include <utility>

#include "tacit/base/error.hpp"
#include "tacit/cli/lab/model_options.hpp"
#include "tacit/cli/lab/plan_options.hpp"
#include "tacit/cli/options/console.hpp"
#include "tacit/consortium/predict/public_bounds.hpp"

namespace tacit::cli {

struct PlanCommand {
  PlanCommand();

  PlanOptions plan;
  std::optional<std::size_t> asked_agents;
  std::size_t agents = 0, points = 1, outputs = 1;
  PublicFacts facts;
  ModelOptions model;
  std::size_t inputs = 1;
  double x_max = 1;
  std::optional<double> value_bound, error;
  std::optional<std::size_t> dimension;
  std::optional<std::pair<double, double>> tune_box;
  std::optional<std::size_t> landmarks;
  std::uint64_t seed = 1;
  bool json = false;
};

/// Chooses the parameters, and gives them to the console. `o.plan.given` has the settings that the user set.
void run_plan(PlanCommand& o, Console& console);

/// The public facts of the given model.
PublicFacts facts_of(const PlanCommand& o);

/// Prints a number and the reason for it.
void print_row(const std::string& name, const std::string& value, const std::string& why);

InputError too_coarse(double lz, double below);

/// Plans exact sums and prints the plan.
void run_exact(const PlanCommand& o, Console& console);

}  // namespace tacit::cli
