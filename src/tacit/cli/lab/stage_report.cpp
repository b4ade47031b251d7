#include "tacit/cli/lab/stage_report.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "tacit/cli/lab/plan_words.hpp"
#include "tacit/gp/expert/prior_names.hpp"
#include "tacit/gp/fit/initial_prior.hpp"
#include "tacit/lab/study/data_terms.hpp"

namespace tacit::cli {
namespace {

Json outputs_json(const Priors& outputs) {
  Json all = Json::array();
  for (const Prior& prior : outputs) all.push_back(prior_json(prior));
  return all;
}

Json quality_json(const Quality& q) {
  return {{"rmse", number(q.rmse)}, {"coverage", number(q.coverage)}, {"log_density", number(q.log_density)}};
}

std::string quality_text(const Quality& q) {
  return fmt::format("{:>9.4g} {:>6.1f} % inside {:>11.4g}", q.rmse, 100 * q.coverage, q.log_density);
}

constexpr std::size_t most_shown = 10;  // of columns or targets

// The quality of each model.
Json models_json(const Accuracy& accuracy) {
  return {{"local", quality_json(accuracy.mean_local())},
          {"at_home", quality_json(accuracy.mean_at_home())},
          {"private", quality_json(accuracy.private_model)},
          {"pooled", accuracy.pooled ? quality_json(*accuracy.pooled) : Json(nullptr)}};
}

// The share of targets inside the intervals of each model, by target.
Json curve_json(const Accuracy& accuracy, const std::vector<std::string>& targets) {
  Json by_target;
  for (std::size_t t = 0; t < targets.size(); ++t) {
    const Accuracy& one = accuracy.by_target[t];
    by_target[targets[t]] = {{"alone", one.mean_local().inside},
                             {"at_home", one.mean_at_home().inside},
                             {"together", one.private_model.inside},
                             {"pooled", one.pooled ? Json(one.pooled->inside) : Json(nullptr)}};
  }
  return {{"nominal", interval_levels}, {"by_target", std::move(by_target)}};
}

// The length-scale of an input in its own deviations, so that columns with different units are comparable.
double reach(const PriorName& number, const StudyReport& report, const Parties& parties) {
  if (report.standardising) return number.value;
  const Vector cells = cells_of(parties, CellsOf::inputs, static_cast<Index>(*number.input));
  return number.value / data_scale_of(cells, Matrix()).inputs(0);
}

// The numbers that all inputs share, then those of single inputs, the most relevant input first.
std::string numbers_text(const Prior& prior, const StudyReport& report, const Parties& parties) {
  std::string text;
  std::vector<std::pair<double, PriorName>> own;
  for (const PriorName& one : prior_names(prior, parties.columns.inputs))
    if (one.input)
      own.emplace_back(reach(one, report, parties), one);
    else
      text += fmt::format("{}{} = {:.4g}", text.empty() ? "" : ", ", one.label, one.value);
  text += "\n";
  if (own.empty()) return text;
  std::ranges::stable_sort(own, {}, [](const auto& one) { return one.first; });
  text += "         by relevance:";
  const std::string* before = nullptr;
  for (std::size_t k = 0; k < std::min(own.size(), most_shown); ++k) {
    const PriorName& one = own[k].second;  // of the same kernel as the one before: "of s5" is enough
    const bool same = before && *before == one.of_kernel;
    text += fmt::format("{} {} = {:.4g}", before ? "," : "",
                        same ? one.label.substr(one.label.find(" of ") + 1) : one.label, one.value);
    before = &one.of_kernel;
  }
  if (own.size() > most_shown) text += fmt::format(" and {} more; --json has all", own.size() - most_shown);
  return text + "\n";
}

std::string by_target_text(const Accuracy& accuracy, bool landmarks,
                           const std::vector<std::string>& targets) {
  const auto rmse = [](const std::optional<Quality>& one) {
    return one ? fmt::format("{:>10.4g}", one->rmse) : fmt::format("{:>10}", "-");
  };
  std::string text =
      fmt::format("         {:<18}{:>10}{}{:>10}{:>10}   95 % interval, together\n", "RMSE by target",
                  "alone", landmarks ? fmt::format("{:>10}", "at home") : "", "together", "pooled");
  for (std::size_t t = 0; t < targets.size(); ++t) {
    const Accuracy& one = accuracy.by_target[t];
    text += fmt::format("         {:<18}{}{}{}{}   {:.1f} % inside\n", targets[t], rmse(one.mean_local()),
                        landmarks ? rmse(one.mean_at_home()) : "", rmse(one.private_model), rmse(one.pooled),
                        100 * one.private_model.coverage);
  }
  return text;
}

constexpr const char* rule_names[] = {"product of experts", "generalised product of experts",
                                      "Bayesian committee", "robust Bayesian committee"};

Json scaling_json(const Scaling& scaling) {
  return {{"shift", std::vector<double>(scaling.shift.begin(), scaling.shift.end())},
          {"scale", std::vector<double>(scaling.scale.begin(), scaling.scale.end())}};
}

Json exact_tuning_json(const ExactTuning& tuning) {
  Json trials = Json::array();
  for (const Trial& trial : tuning.trials)
    trials.push_back({{"search", trial.search},
                      {"likelihood", number(trial.likelihood)},
                      {"hyperparameters", outputs_json(trial.priors)}});
  return {{"method", "exact"},
          {"evaluations", tuning.trials.size()},
          {"searches", tuning.trials.back().search + 1},
          {"end", to_string(tuning.end)},
          {"likelihood_before", number(tuning.trials[0].likelihood)},
          {"likelihood_after", number(tuning.best.likelihood)},
          {"trials", std::move(trials)}};
}

}  // namespace

Json prior_json(const Prior& prior, const std::vector<std::string>& inputs) {
  Json out{{"kernel", prior.kernel.text()}, {"noise", prior.noise}};
  const Kernel::Leaf& leaf = prior.kernel.leaves()[0];
  if (prior.kernel.leaves().size() == 1 && !leaf.ard && leaf.shape != Shape::constant) {
    if (!leaf.lengthscale.empty()) out["lengthscale"] = leaf.lengthscale[0];
    out["signal"] = leaf.signal;
  }
  const std::vector<std::string> names = prior.kernel.names();
  const std::vector<double> numbers = prior.kernel.numbers();
  for (std::size_t k = 0; k < names.size(); ++k) out["numbers"][names[k]] = numbers[k];
  if (inputs.empty()) return out;
  Json columns;
  for (const PriorName& one : prior_names(prior, inputs))
    if (one.input) columns[inputs[*one.input]][one.of_kernel] = one.value;
  out["by_column"] = std::move(columns);  // null if no input has its own number
  return out;
}

// A list over agents with the quality of each agent's model, by target.
Json agents_json(const Accuracy& accuracy, const std::vector<std::string>& targets,
                 std::vector<Quality> Accuracy::*model) {
  Json all = Json::array();
  for (std::size_t i = 0; i < (accuracy.*model).size(); ++i) {
    Json one;
    for (std::size_t t = 0; t < targets.size(); ++t)
      one[targets[t]] = quality_json((accuracy.by_target[t].*model)[i]);
    all.push_back(std::move(one));
  }
  return all;
}

Json accuracy_json(const Accuracy& accuracy, const std::vector<std::string>& targets) {
  Json agents = Json::array(), home = Json::array(), rules, each;
  for (const Quality& one : accuracy.local) agents.push_back(number(one.rmse));
  for (const Quality& one : accuracy.at_home) home.push_back(number(one.rmse));
  for (const auto& [rule, one] : accuracy.rules) rules[to_string(rule)] = quality_json(one);
  for (std::size_t t = 0; t < targets.size(); ++t) each[targets[t]] = models_json(accuracy.by_target[t]);
  Json calibration = models_json(accuracy);
  calibration["rules"] = std::move(rules);
  return {{"local", number(accuracy.mean_local().rmse)},
          {"at_home", number(accuracy.mean_at_home().rmse)},
          {"private", number(accuracy.private_model.rmse)},
          {"pooled", accuracy.pooled ? number(accuracy.pooled->rmse) : Json(nullptr)},
          {"local_agents", std::move(agents)},
          {"at_home_agents", std::move(home)},
          {"calibration", std::move(calibration)},
          {"by_target", std::move(each)},
          {"by_agent",
           {{"local", agents_json(accuracy, targets, &Accuracy::local)},
            {"at_home", agents_json(accuracy, targets, &Accuracy::at_home)}}},
          {"curve", curve_json(accuracy, targets)}};
}

std::string model_text(const StudyReport& report, const StudyOptions& options, const Parties& parties) {
  const Priors priors = mean_priors(report.model.priors);
  std::string text =
      fmt::format("Model    {} fused by {} ({}), kernel {}", plural(report.model.experts, "expert"),
                  to_string(options.model.fusion), rule_names[static_cast<std::size_t>(options.model.fusion)],
                  priors[0].kernel.form());
  const bool alike = std::ranges::all_of(priors, [&](const Prior& one) { return one == priors[0]; });
  if (alike) return text + ": " + numbers_text(priors[0], report, parties);
  text += "\n";
  for (std::size_t t = 0; t < std::min(priors.size(), most_shown); ++t)
    text +=
        fmt::format("         {}: {}", parties.columns.targets[t], numbers_text(priors[t], report, parties));
  if (priors.size() > most_shown)
    text += fmt::format("         and {} more targets; --json has all\n", priors.size() - most_shown);
  return text;
}

std::string accuracy_text(const Accuracy& accuracy, const StudyOptions& options, bool landmarks,
                          const std::vector<std::string>& targets) {
  const auto [best, worst] = std::ranges::minmax_element(accuracy.local, {}, &Quality::rmse);
  std::string text = fmt::format(
      "Worth    on the test rows       RMSE   95 % interval   log density\n"
      "         alone              {}   (an agent with only its own rows; RMSE {:.4g} to {:.4g})\n",
      quality_text(accuracy.mean_local()), best->rmse, worst->rmse);
  if (landmarks)
    text +=
        fmt::format("         at home            {}   (pooled part and own experts; no message is sent)\n",
                    quality_text(accuracy.mean_at_home()));
  text += fmt::format("         together           {}   (experts of all agents, fused by {})\n",
                      quality_text(accuracy.private_model), to_string(options.model.fusion));
  text += accuracy.pooled
              ? fmt::format(
                    "         pooled             {}   (one model of all rows in one place, for comparison)\n",
                    quality_text(*accuracy.pooled))
              : fmt::format("         pooled                     -   (not computed for more than {} rows)\n",
                            count(options.most_pooled_rows));
  text += "         by other rules:";
  const char* separator = " ";
  for (const auto& [rule, one] : accuracy.rules) {
    if (rule == options.model.fusion) continue;
    text += fmt::format("{}{} {:.4g}, {:.1f} %, {:.4g}", separator, to_string(rule), one.rmse,
                        100 * one.coverage, one.log_density);
    separator = "; ";
  }
  return text + "\n" + (targets.size() > 1 ? by_target_text(accuracy, landmarks, targets) : "");
}

Json standardise_json(const StudyReport& report) {
  if (!report.standardising) return nullptr;
  return {{"rows", report.standardising->found.rows},
          {"constant_columns", report.standardising->found.constant},
          {"inputs", scaling_json(report.standardising->found.inputs)},
          {"targets", scaling_json(report.standardising->found.outputs)},
          {"spread", report.standardising->spread}};
}

Json tuning_json(const StudyReport& report) {
  if (report.tuning.exact) return exact_tuning_json(*report.tuning.exact);
  if (!report.tuning.paper) return nullptr;
  const PaperTuningReport& tuning = *report.tuning.paper;
  Json agents = Json::array();
  for (const auto& agent : report.model.priors) agents.push_back(outputs_json(agent));
  return {{"method", "paper"},
          {"iterations", tuning.traces[0].size() - 1},
          {"likelihood_before", number(tuning.likelihood_before)},
          {"likelihood_after", number(tuning.likelihood_after)},
          {"spread", tuning.spread},
          {"plan", plan_json(tuning.plan)},
          {"agents", std::move(agents)}};
}

Json holdout_json(const ConsortiumScore& score, const HoldOut& asked) {
  return {{"model", asked.fused ? "fused" : "alone"},
          {"inputs_shown", asked.fused},
          {"rows", score.rows},
          {"rmse", number(score.rmse)},
          {"log_density", number(score.log_density)}};
}

Json units_json(const StudyReport& report) {
  const char* model = report.standardising ? "standardised" : "original";
  return {{"predictions", "original"}, {"hyperparameters", model}, {"plan", model}, {"bounds", model}};
}

std::string standardise_text(const StandardisingReport& report) {
  const Standardisation& standardisation = report.found;
  const auto columns =
      static_cast<std::size_t>(standardisation.inputs.scale.size() + standardisation.outputs.scale.size());
  return fmt::format(
      "Units    {} standardised privately over {}{}; agents' scales differ by at most {:.2g}.\n"
      "         Hyperparameters and bounds are in standardised units, predictions and errors in units of the "
      "data\n",
      plural(columns, "column"), plural(standardisation.rows, "row"),
      standardisation.constant ? fmt::format(" ({} constant)", count(standardisation.constant)) : "",
      report.spread);
}

std::string tuning_text(const StudyReport& report) {
  if (report.tuning.exact) {
    const ExactTuning& tuning = *report.tuning.exact;
    const std::size_t searches = tuning.trials.back().search + 1;
    return fmt::format("Tuned    {}{} of the summed log likelihood: {:.2f} → {:.2f}; {}\n",
                       plural(tuning.trials.size(), "private evaluation"),
                       searches > 1 ? fmt::format(" in {} searches", searches) : "",
                       tuning.trials[0].likelihood, tuning.best.likelihood, to_string(tuning.end));
  }
  if (!report.tuning.paper) return "";
  return fmt::format(
      "Tuned    {} private steps: summed log likelihood {:.2f} → {:.2f}; agents' estimates differ by "
      "at most {:.3g}\n",
      report.tuning.paper->traces[0].size() - 1, report.tuning.paper->likelihood_before,
      report.tuning.paper->likelihood_after, report.tuning.paper->spread);
}

Json landmarks_json(const StudyReport& report) {
  if (!report.model.landmarks) return nullptr;
  const LandmarkReport& l = *report.model.landmarks;
  return {{"count", l.landmarks}, {"ceiling", l.ceiling},
          {"opened", l.opened},   {"opened_by_the_fit", l.opened_all},
          {"held", l.held},       {"plan", exact_plan_json(l.plan)}};
}

std::string landmarks_text(const StudyReport& report, const StudyOptions& options) {
  if (!report.model.landmarks) return "";
  const LandmarkReport& l = *report.model.landmarks;
  std::string text = fmt::format(
      "Pooled   {} landmarks: one sum opened {} numbers, {:.0f} % of the {} that the rows hold; unit {:g}, "
      "{} bits\n",
      count(l.landmarks), count(l.opened), 100 * static_cast<double>(l.opened) / static_cast<double>(l.held),
      count(l.held), l.plan.unit, l.plan.modulus_bits);
  if (options.tuning.on_landmarks)
    text += fmt::format(
        "Note     tuning on landmarks opened their sums in every evaluation: {} numbers in total, {:.1f} "
        "times as many as the rows hold\n",
        count(l.opened_all), static_cast<double>(l.opened_all) / static_cast<double>(l.held));
  if (l.landmarks > l.ceiling)
    text += fmt::format(
        "Note     {} landmarks open more than a quarter of the numbers that the rows hold; agents allow this "
        "only with model.landmarks_above_ceiling in their charter, and at most {} landmarks otherwise\n",
        count(l.landmarks), count(l.ceiling));
  return text;
}

std::string holdout_text(const ConsortiumScore& score, const HoldOut& asked) {
  return fmt::format("Held out {}, not used for training; {}: RMSE {:.4g}, mean log density {:.4g}\n{}\n",
                     plural(score.rows, "row"), asked.fused ? "private model" : "agents' own experts",
                     score.rmse, score.log_density,
                     asked.fused ? "         (all agents saw the inputs, and no other agent saw the targets)"
                                 : "         (no other agent saw the rows)");
}

std::string protect_text(const ProtectedReport& report) {
  std::string text =
      report.accuracy.empty()
          ? std::string("Rows     protected at home, quality unknown, because the test file has no targets\n")
          : fmt::format(
                "Rows     protected at home  {}   (the same agents, with noise in all that is opened)\n",
                quality_text(report.mean_at_home()));
  text += fmt::format(
      "         each row is charged ρ = {:.4g}, which is ε = {:.1f} at δ = {:g}, if at most {} what they "
      "know\n",
      report.rho, std::ceil(report.epsilon * 10) / 10, report.delta,
      report.colluding == 1 ? "1 agent uses" : fmt::format("{} agents pool", report.colluding));
  text += fmt::format("         {}, with {} learnt directions; hyperparameters {}\n",
                      plural(report.charges.size(), "noisy sum"), report.directions,
                      report.tuned ? "tuned under noise" : "are public numbers, because there are few rows");
  return text + "         ranges of columns are taken from the data, which a charter does not do\n";
}

Json protect_json(const ProtectedReport& report, const std::vector<std::string>& inputs, bool all_agents) {
  Json charges = Json::array(), chosen = Json::array();
  for (const Charge& one : report.charges)
    charges.push_back({{"name", one.name}, {"numbers", one.numbers}, {"rho", one.rho}, {"noise", one.noise}});
  for (const HomeCandidate one : report.chosen) chosen.push_back(to_string(one));
  Json out{
      {"rho", report.rho},
      {"epsilon", report.epsilon},
      {"delta", report.delta},
      {"colluding", report.colluding},
      {"charges", std::move(charges)},
      {"rows", report.rows},
      {"tuned", report.tuned},
      {"kernel", report.prior.kernel.form()},
      {"hyperparameters", prior_json(report.prior, inputs)},
      {"directions", report.directions},
      {"chosen", std::move(chosen)},
      {"at_home", predictions_json(report.at_home[0], &Prediction::observed_variance)},
      {"accuracy", report.accuracy.empty() ? Json(nullptr) : quality_json(report.mean_at_home())},
      {"traffic",
       {{"rounds", report.cost.rounds}, {"messages", report.cost.messages}, {"bytes", report.cost.bytes}}},
      {"seconds", report.seconds}};
  if (all_agents) {
    out["agent_predictions_at_home"] = Json::array();
    for (const Prediction& one : report.at_home)
      out["agent_predictions_at_home"].push_back(predictions_json(one, &Prediction::observed_variance));
  }
  return out;
}

}  // namespace tacit::cli
