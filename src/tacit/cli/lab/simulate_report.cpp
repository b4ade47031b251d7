#include "tacit/cli/lab/simulate_report.hpp"
#include "tacit/cli/lab/data_report.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>

#include "tacit/cli/lab/plan_words.hpp"
#include "tacit/cli/lab/privacy_words.hpp"
#include "tacit/cli/lab/stage_report.hpp"
#include "tacit/lab/study/study_warnings.hpp"

namespace tacit::cli {
namespace {

// The lines of the test rows in their file, and their targets.
Json test_json(const Parties& parties) {
  Json targets = nullptr;
  if (parties.test_targets_known) {
    targets = Json::array();
    for (const auto& row : parties.test.outputs.rowwise())
      targets.push_back(std::vector<double>(row.begin(), row.end()));
  }
  return {{"rows", parties.test_lines}, {"targets", std::move(targets)}};
}

std::vector<std::filesystem::path> files_of(const PartyOptions& data) {
  std::vector<std::filesystem::path> files = data.data;
  for (const auto& more : {data.test, data.landmarks})
    if (more) files.push_back(*more);
  return files;
}

// The edges of the network and their traffic. The ids of helpers follow those of the agents.
Json network_json(const StudyReport& report, std::size_t agents) {
  Json edges = Json::array();
  std::size_t participants = agents;
  for (const LinkTraffic& link : report.traffic) {
    edges.push_back({{"a", link.a}, {"b", link.b}, {"messages", link.messages}, {"bytes", link.bytes}});
    participants = std::max<std::size_t>(participants, link.b + 1);
  }
  return {{"agents", agents}, {"helpers", participants - agents}, {"edges", std::move(edges)}};
}

}  // namespace

Json json_of(const SimulateOptions& o, const Parties& parties, const StudyReport& report,
             const Console& console) {
  const Vector added =
      o.variance == "observed" ? report.noise_variance : Vector::Zero(report.noise_variance.size()).eval();
  Json out;
  out["about"] = about("simulate", console, o.data.seed, files_of(o.data));
  out["agents"] = parties.count();
  out["helpers"] = o.plan.helpers;
  Json rows = Json::array();
  for (std::size_t i = 0; i < parties.count(); ++i) rows.push_back(parties.rows_of(i)->rows());
  out["rows"] = std::move(rows);
  out["names"] = parties.names;
  out["inputs"] = parties.inputs;
  out["targets"] = parties.targets;
  out["data"] = data_json(parties);
  out["topology"] = o.plan.topology;
  out["protocol"] = o.plan.protocol;
  const bool rounds = o.study.protocol.sums == SumProtocol::consensus;  // null for protocol exact
  out["masks"] = rounds ? Json(o.plan.masks) : Json(nullptr);
  out["acceleration"] = rounds ? Json(o.plan.acceleration) : Json(nullptr);
  out["blinding"] = rounds ? Json(o.plan.blinding) : Json(nullptr);
  out["fusion"] = o.model.fusion;
  out["kernel"] = report.priors[0][0].kernel.form();
  out["experts"] = report.experts;
  const Priors shared = mean_priors(report.priors);
  out["hyperparameters"] = prior_json(shared[0], parties.inputs);
  if (parties.targets.size() > 1) {
    Json outputs = Json::array();
    for (std::size_t k = 0; k < parties.targets.size(); ++k)
      outputs.push_back(prior_json(shared[k], parties.inputs));
    out["hyperparameters"]["outputs"] = std::move(outputs);
  }
  out["landmarks"] = landmarks_json(report);
  out["units"] = units_json(report);
  out["standardise"] = standardise_json(report);
  out["tuning"] = tuning_json(report);
  out["holdout"] = report.holdout ? holdout_json(*report.holdout, *o.study.holdout) : Json(nullptr);
  out["variance"] = o.variance;
  out["noise_variance"] = std::vector<double>(report.noise_variance.begin(), report.noise_variance.end());
  out["predictions"] = predictions_json(report.predictions[0], added);
  if (o.all_agents) {
    Json all = Json::array();
    for (const Prediction& prediction : report.predictions)
      all.push_back(predictions_json(prediction, added));
    out["agent_predictions"] = std::move(all);
    Json home = Json::array();
    for (const Prediction& prediction : report.at_home) home.push_back(predictions_json(prediction, added));
    out["agent_predictions_at_home"] = std::move(home);
  }
  out["test"] = test_json(parties);
  out["at_home"] = predictions_json(report.at_home[0], added);
  out["reference"] = predictions_json(report.reference, added);
  out["rmse"] = {{"mean", number(report.rmse_mean)}, {"variance", number(report.rmse_variance)}};
  out["disagreement"] = {{"mean", number(report.disagreement_mean)},
                         {"variance", number(report.disagreement_variance)}};
  out["unconverged"] = report.unconverged;
  out["accuracy"] = nullptr;
  if (report.accuracy) out["accuracy"] = accuracy_json(*report.accuracy, parties.targets);
  out["numerics"] = {{"jitter", report.jitter}, {"clamped", report.clamped}};
  out["traffic"] = {
      {"rounds", report.cost.rounds}, {"messages", report.cost.messages}, {"bytes", report.cost.bytes}};
  out["network"] = network_json(report, parties.count());
  out["seconds"] = {{"standardise", report.standardise_seconds},
                    {"tuning", report.tuning_seconds},
                    {"pooling", report.pooling_seconds},
                    {"local", report.local_seconds},
                    {"protocol", report.protocol_seconds},
                    {"holdout", report.holdout_seconds},
                    {"network", report.cost.network_seconds},
                    {"total", report.standardise_seconds + report.tuning_seconds + report.pooling_seconds +
                                  report.local_seconds + report.protocol_seconds + report.holdout_seconds +
                                  report.cost.network_seconds}};
  out["plan"] = report.exact_plan ? exact_plan_json(*report.exact_plan) : plan_json(report.plan);
  out["bounds"] = {{"beta", number(report.beta)}, {"gamma", number(report.gamma)}};
  out["privacy"] = privacy_json(report.privacy);
  out["privacy"]["learns"] = who_learns_what(o, parties, report);
  out["privacy"]["not_promised"] = not_promised(o, parties);
  out["warnings"] = study_warnings(parties, o.study, report);
  return out;
}

namespace {

std::string numbers_text(const StudyReport& report) {
  if (report.exact_plan)
    return fmt::format("Numbers  unit {:g}, q = 2^{}, error of sums at most {:.2g}; see tacit plan --help\n",
                       report.exact_plan->unit, report.exact_plan->modulus_bits, report.exact_plan->error());
  return fmt::format("Numbers  L_z = {:g}, L_w = 1/{}, q = 2^{}, T = {}, λ = {:.4g}; see tacit plan --help\n",
                     report.plan.lz, report.plan.denominator, report.plan.modulus_bits,
                     report.plan.iterations, report.plan.lambda);
}

}  // namespace

void print_text(const SimulateOptions& o, const Parties& parties, const StudyReport& report) {
  std::vector<Index> rows;
  for (std::size_t i = 0; i < parties.count(); ++i) rows.push_back(parties.rows_of(i)->rows());
  const auto [fewest, most] = std::minmax_element(rows.begin(), rows.end());
  const std::string each =
      *fewest == *most ? fmt::format("{} each", *most) : fmt::format("{} to {} each", *fewest, *most);
  const std::string indent(9, ' ');

  const std::string helpers = o.plan.helpers
                                  ? fmt::format(", {} for {}", plural(report.mask_edges, "mask edge"),
                                                plural(o.plan.helpers, "helper"))
                                  : "";
  fmt::print("Who      {} on {} ({}{}), {} ({}), predicting {} at {}\n", plural(rows.size(), "agent"),
             o.plan.topology, plural(report.edges, "edge"), helpers, plural(parties.rows(), "row"), each,
             fmt::join(parties.targets, ", "),
             plural(static_cast<std::uint64_t>(parties.test.inputs.rows()), "test point"));
  fmt::print("{}", data_text(parties));
  if (report.standardisation)
    fmt::print("{}", standardise_text(*report.standardisation, report.standardisation_spread));
  fmt::print("{}", model_text(report, o.study, parties));
  fmt::print("{}", tuning_text(report));
  fmt::print("{}", landmarks_text(report, o.study));

  fmt::print("{}", report.accuracy ? accuracy_text(*report.accuracy, o.study, report.landmarks.has_value(),
                                                   parties.targets)
                                   : "Worth    unknown, because the test file has no targets\n");
  if (report.holdout) fmt::print("{}", holdout_text(*report.holdout, *o.study.holdout));
  fmt::print(
      "Exact    RMSE against plain distributed GPR: mean {:.3g}, variance {:.3g}; agents differ by at "
      "most {:.3g}\n",
      report.rmse_mean, report.rmse_variance, report.disagreement_mean);
  if (report.unconverged)
    fmt::print(
        "{}not converged: {} of the agents' variances are not positive; T = {} is too small for this graph\n",
        indent, count(report.unconverged), report.plan.iterations);
  fmt::print("Cost     {}, {}, {}; {} local models, {} protocol{}, {} network\n",
             plural(report.cost.rounds, "round"), plural(report.cost.messages, "message"),
             size(report.cost.bytes), duration(report.local_seconds), duration(report.protocol_seconds),
             report.tuning || report.exact_tuning ? ", " + duration(report.tuning_seconds) + " tuning" : "",
             duration(report.cost.network_seconds));
  fmt::print("Private  {}\n", privacy_text(report.privacy, indent));
  fmt::print("{}", numbers_text(report));
  const std::size_t enough = report.exact_plan ? 0 : report.plan.enough_iterations();
  if (report.plan.iterations < enough)
    fmt::print("Note     T = {} is below the {} iterations that shrink the initial disagreement to L_z\n",
               count(report.plan.iterations), count(enough));
  if (!report.exact_plan && !std::isfinite(report.gamma))
    fmt::print("Note     {}\n", nothing_promised(report.plan, report.bounds.variance_high));
  if (report.tuning && report.tuning->likelihood_after < report.tuning->likelihood_before)
    fmt::print("Note     tuning lowered the likelihood: try a smaller --tune-step\n");
  if (report.jitter > 0)
    fmt::print(
        "Note     {:.2g} was added to the diagonal of a covariance to factorise it; usual causes: duplicate "
        "rows, low noise\n",
        report.jitter);
  if (report.clamped)
    fmt::print("Note     {} of the local variances were raised to the smallest value that the data allow\n",
               count(report.clamped));
  for (const std::string& warning : study_warnings(parties, o.study, report))
    fmt::print("Warning  {}\n", warning);
}

}  // namespace tacit::cli
