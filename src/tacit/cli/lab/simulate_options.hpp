// The options of `tacit simulate`, and their translation into a study.
#pragma once

#include <optional>
#include <string>
#include <utility>

#include "tacit/cli/lab/model_options.hpp"
#include "tacit/cli/lab/plan_options.hpp"
#include "tacit/cli/lab/tuning_words.hpp"
#include "tacit/cli/options/data_options.hpp"
#include "tacit/cli/options/landmark_count.hpp"
#include "tacit/cli/text/about.hpp"
#include "tacit/lab/study/study.hpp"

namespace tacit::cli {

/// How to divide the rows, and the column of by:COLUMN.
std::pair<SplitMode, std::string> parse_split(const std::string& text);

struct SimulateOptions {
  SimulateOptions() { model.fusion.reset(); }  // the default depends on other options

  PartyOptions data;
  DataOptions reading;
  PlanOptions plan;
  StudyOptions study;
  PaperTuning paper_tuning;  ///< becomes part of `study` with --tune paper
  ExactTuneOptions search;   ///< becomes part of `study` with --tune exact
  ModelOptions model;
  std::optional<double> holdout, noise_floor, lengthscale_floor;
  std::optional<std::pair<double, double>> tune_box;
  std::optional<TuneBy> tune;  ///< none for the default, as the next two
  std::optional<bool> standardise;
  std::optional<LandmarkCount> landmarks;
  bool protect_rows = false;  ///< also fit with protected rows, by `protection`
  ProtectOptions protection;
  ResultOptions result;
  bool paper = false, all_agents = false, holdout_fused = false, observed_variance = false;

  void add_to(CLI::App& command);

  /// Translates the options into `data` and `study`. `given` has the settings that the user set. Throws
  /// InputError naming the option.
  void take_in(const Given& given);

  /// Sets what depends on the data: topology, the model's start, its search and landmarks.
  void settle_for(const Parties& parties);
};

}  // namespace tacit::cli
