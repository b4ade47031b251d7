// The options of `tacit simulate`, and their translation into a study.
#pragma once

#include <optional>
#include <string>

#include "tacit/cli/lab/model_options.hpp"
#include "tacit/cli/lab/plan_options.hpp"
#include "tacit/cli/options/data_options.hpp"
#include "tacit/cli/text/about.hpp"
#include "tacit/lab/study/study.hpp"

namespace tacit::cli {

struct SimulateOptions {
  PartyOptions data;
  DataOptions reading;
  PlanOptions plan;
  StudyOptions study;
  PaperTuning paper_tuning;
  ExactTuneOptions search;
  ModelOptions model;
  std::optional<double> holdout, noise_floor, lengthscale_floor;
  std::string split = "contiguous", variance = "latent";
  std::string tune_gradient = "likelihood", tune_box, tune_start, latency = "0", holdout_model = "alone";
  std::string tune, standardise, landmarks;  // empty for the default
  ResultOptions result;
  bool paper = false, all_agents = false;

  void add_to(CLI::App& command);

  /// Translates the options into `data` and `study`. Throws InputError naming the option.
  void take_in(const CLI::App& command);

  /// Sets what depends on the data: topology, the model's start, its search and landmarks.
  void settle_for(const Parties& parties);
};

}  // namespace tacit::cli
