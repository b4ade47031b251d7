#include "tacit/cli/steps.hpp"

#include <fmt/format.h>

#include "tacit/cli/text.hpp"

namespace tacit::cli {
namespace {

Json outputs_json(const OutputHyperparameters& outputs) {
  Json all = Json::array();
  for (const Hyperparameters& h : outputs) all.push_back(hyperparameters_json(h));
  return all;
}

Json scaling_json(const Scaling& scaling) {
  return {{"shift", std::vector<double>(scaling.shift.begin(), scaling.shift.end())},
          {"scale", std::vector<double>(scaling.scale.begin(), scaling.scale.end())}};
}

Json exact_tuning_json(const ExactTuning& tuning) {
  Json trials = Json::array();
  for (const Trial& trial : tuning.trials)
    trials.push_back({{"search", trial.search},
                      {"likelihood", number(trial.likelihood)},
                      {"hyperparameters", outputs_json(trial.hyperparameters)}});
  return {{"method", "exact"},
          {"evaluations", tuning.trials.size()},
          {"searches", tuning.trials.back().search + 1},
          {"end", to_string(tuning.end)},
          {"likelihood_before", number(tuning.trials[0].likelihood)},
          {"likelihood_after", number(tuning.best.likelihood)},
          {"trials", std::move(trials)}};
}

}  // namespace

Json hyperparameters_json(const Hyperparameters& h) {
  return {{"lengthscale", h.lengthscale}, {"signal", h.signal}, {"noise", h.noise}};
}

Json standardise_json(const StudyReport& report) {
  if (!report.standardisation) return nullptr;
  return {{"rows", report.standardisation->rows},
          {"constant_columns", report.standardisation->constant},
          {"inputs", scaling_json(report.standardisation->inputs)},
          {"targets", scaling_json(report.standardisation->outputs)},
          {"spread", report.standardisation_spread}};
}

Json tuning_json(const StudyReport& report) {
  if (report.exact_tuning) return exact_tuning_json(*report.exact_tuning);
  if (!report.tuning) return nullptr;
  const Tuning& tuning = *report.tuning;
  Json agents = Json::array();
  for (const auto& agent : report.hyperparameters) agents.push_back(outputs_json(agent));
  return {{"method", "paper"},
          {"iterations", tuning.traces[0].size() - 1},
          {"likelihood_before", number(tuning.likelihood_before)},
          {"likelihood_after", number(tuning.likelihood_after)},
          {"spread", tuning.spread},
          {"plan", plan_json(tuning.plan)},
          {"agents", std::move(agents)}};
}

Json holdout_json(const HoldOutScore& score, const HoldOut& asked) {
  return {{"model", asked.fused ? "fused" : "alone"},
          {"inputs_shown", asked.fused},
          {"rows", score.rows},
          {"rmse", number(score.rmse)},
          {"log_density", number(score.log_density)}};
}

Json units_json(const StudyReport& report) {
  const char* model = report.standardisation ? "standardised" : "original";
  return {{"predictions", "original"}, {"hyperparameters", model}, {"plan", model}, {"bounds", model}};
}

std::string standardise_text(const Standardisation& standardisation, double spread) {
  const auto columns =
      static_cast<std::size_t>(standardisation.inputs.scale.size() + standardisation.outputs.scale.size());
  return fmt::format(
      "Units    {} standardised in private over {}{}; agents' scales differ by at most {:.2g}.\n"
      "         Hyperparameters and bounds are in standardised units, predictions and errors in those of the "
      "data\n",
      plural(columns, "column"), plural(standardisation.rows, "row"),
      standardisation.constant ? fmt::format(" ({} constant)", count(standardisation.constant)) : "", spread);
}

std::string tuning_text(const StudyReport& report) {
  if (report.exact_tuning) {
    const ExactTuning& tuning = *report.exact_tuning;
    const std::size_t searches = tuning.trials.back().search + 1;
    return fmt::format("Tuned    {}{} of the summed log likelihood: {:.2f} → {:.2f}; {}\n",
                       plural(tuning.trials.size(), "private evaluation"),
                       searches > 1 ? fmt::format(" in {} searches", searches) : "",
                       tuning.trials[0].likelihood, tuning.best.likelihood, to_string(tuning.end));
  }
  if (!report.tuning) return "";
  return fmt::format(
      "Tuned    {} private steps: summed log likelihood {:.2f} → {:.2f}; agents' estimates differ by "
      "at most {:.3g}\n",
      report.tuning->traces[0].size() - 1, report.tuning->likelihood_before, report.tuning->likelihood_after,
      report.tuning->spread);
}

std::string holdout_text(const HoldOutScore& score, const HoldOut& asked) {
  return fmt::format("Held out {} that nobody learnt from: {} RMSE {:.4g}, mean log density {:.4g}\n{}\n",
                     plural(score.rows, "row"), asked.fused ? "private model's" : "agents' own experts'",
                     score.rmse, score.log_density,
                     asked.fused ? "         (their inputs were shown to all agents, their targets to nobody)"
                                 : "         (the rows were shown to nobody)");
}

}  // namespace tacit::cli
