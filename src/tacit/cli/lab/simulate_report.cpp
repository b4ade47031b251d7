#include "tacit/cli/lab/simulate_report.hpp"
#include "tacit/cli/lab/data_report.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>

#include "tacit/cli/lab/plan_words.hpp"
#include "tacit/cli/lab/privacy_words.hpp"
#include "tacit/cli/lab/stage_report.hpp"
#include "tacit/cli/options/setting_words.hpp"
#include "tacit/lab/study/study_warnings.hpp"

namespace tacit::cli {
namespace {

// The lines of the test rows in their file, and their targets.
Json test_json(const Parties& parties) {
  Json targets = nullptr;
  if (parties.test.targets_known) {
    targets = Json::array();
    for (const auto& row : parties.test.outputs.rowwise())
      targets.push_back(std::vector<double>(row.begin(), row.end()));
  }
  return {{"rows", parties.test.lines}, {"targets", std::move(targets)}};
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
  for (const LinkTraffic& link : report.network.traffic) {
    edges.push_back({{"a", link.a}, {"b", link.b}, {"messages", link.messages}, {"bytes", link.bytes}});
    participants = std::max<std::size_t>(participants, link.b + 1);
  }
  return {{"agents", agents}, {"helpers", participants - agents}, {"edges", std::move(edges)}};
}

// The data, the network and the protocol.
void add_setting(Json& out, const SimulateOptions& o, const Parties& parties) {
  out["agents"] = parties.count();
  out["helpers"] = o.plan.helpers;
  Json rows = Json::array();
  for (std::size_t i = 0; i < parties.count(); ++i) rows.push_back(parties.rows_of(i)->rows());
  out["rows"] = std::move(rows);
  out["names"] = parties.names;
  out["inputs"] = parties.columns.inputs;
  out["targets"] = parties.columns.targets;
  out["data"] = data_json(parties);
  out["topology"] = to_string(*o.plan.topology);
  out["protocol"] = to_string(*o.plan.protocol);
  const bool rounds = o.study.protocol.sums == SumProtocol::consensus;  // null for protocol exact
  const Hardening& hardening = o.plan.request.hardening;
  out["masks"] = rounds ? Json(to_string(hardening.masks)) : Json(nullptr);
  out["acceleration"] = rounds ? Json(to_string(hardening.acceleration)) : Json(nullptr);
  out["blinding"] = rounds ? Json(hardening.blinding) : Json(nullptr);
  out["fusion"] = to_string(o.study.model.fusion);
}

void add_model(Json& out, const SimulateOptions& o, const Parties& parties, const StudyReport& report) {
  out["kernel"] = report.model.priors[0][0].kernel.form();
  out["experts"] = report.model.experts;
  const Priors shared = mean_priors(report.model.priors);
  out["hyperparameters"] = prior_json(shared[0], parties.columns.inputs);
  if (parties.columns.targets.size() > 1) {
    Json outputs = Json::array();
    for (std::size_t k = 0; k < parties.columns.targets.size(); ++k)
      outputs.push_back(prior_json(shared[k], parties.columns.inputs));
    out["hyperparameters"]["outputs"] = std::move(outputs);
  }
  out["landmarks"] = landmarks_json(report);
  out["units"] = units_json(report);
  out["standardise"] = standardise_json(report);
  out["tuning"] = tuning_json(report);
  out["holdout"] = report.holdout ? holdout_json(*report.holdout, *o.study.holdout) : Json(nullptr);
}

void add_predictions(Json& out, const SimulateOptions& o, const Parties& parties, const StudyReport& report) {
  const auto variance = o.observed_variance ? &Prediction::observed_variance : &Prediction::latent_variance;
  out["variance"] = o.observed_variance ? "observed" : "latent";
  out["noise_variance"] =
      std::vector<double>(report.model.noise_variance.begin(), report.model.noise_variance.end());
  out["predictions"] = predictions_json(report.predictions.together[0], variance);
  if (o.all_agents) {
    Json all = Json::array();
    for (const Prediction& prediction : report.predictions.together)
      all.push_back(predictions_json(prediction, variance));
    out["agent_predictions"] = std::move(all);
    Json home = Json::array();
    for (const Prediction& prediction : report.predictions.at_home)
      home.push_back(predictions_json(prediction, variance));
    out["agent_predictions_at_home"] = std::move(home);
  }
  out["test"] = test_json(parties);
  out["at_home"] = predictions_json(report.predictions.at_home[0], variance);
  out["reference"] = predictions_json(report.predictions.reference, variance);
  out["rmse"] = {{"mean", number(report.predictions.rmse.mean)},
                 {"variance", number(report.predictions.rmse.variance)}};
  out["disagreement"] = {{"mean", number(report.predictions.disagreement.mean)},
                         {"variance", number(report.predictions.disagreement.variance)}};
  out["unconverged"] = report.predictions.unconverged;
  out["accuracy"] = nullptr;
  if (report.accuracy) out["accuracy"] = accuracy_json(*report.accuracy, parties.columns.targets);
}

void add_cost(Json& out, const Parties& parties, const StudyReport& report) {
  out["traffic"] = {{"rounds", report.network.cost.rounds},
                    {"messages", report.network.cost.messages},
                    {"bytes", report.network.cost.bytes}};
  out["network"] = network_json(report, parties.count());
  out["seconds"] = {{"standardise", report.seconds.standardise},
                    {"tuning", report.seconds.tuning},
                    {"pooling", report.seconds.pooling},
                    {"local", report.seconds.local},
                    {"protocol", report.seconds.protocol},
                    {"holdout", report.seconds.holdout},
                    {"network", report.network.cost.network_seconds},
                    {"total", report.seconds.total() + report.network.cost.network_seconds}};
}

}  // namespace

Json json_of(const SimulateOptions& o, const Parties& parties, const StudyReport& report,
             const Console& console) {
  Json out;
  out["about"] = about("simulate", console, o.data.seed, files_of(o.data));
  add_setting(out, o, parties);
  add_model(out, o, parties, report);
  add_predictions(out, o, parties, report);
  out["numerics"] = {{"jitter", report.model.jitter}, {"clamped", report.model.clamped}};
  if (report.protect)
    out["rows_protected"] = protect_json(*report.protect, parties.columns.inputs, o.all_agents);
  add_cost(out, parties, report);
  out["plan"] =
      report.plan.exact() ? exact_plan_json(*report.plan.exact()) : plan_json(*report.plan.consensus());
  out["bounds"] = {{"beta", number(report.plan.beta)}, {"gamma", number(report.plan.gamma)}};
  out["privacy"] = privacy_json(report.privacy);
  out["privacy"]["learns"] = who_learns_what(o, parties, report);
  out["privacy"]["not_promised"] = not_promised(o, parties);
  out["warnings"] = study_warnings(parties, o.study, report);
  return out;
}

namespace {

std::string numbers_text(const StudyReport& report) {
  if (const ExactPlan* plan = report.plan.exact())
    return fmt::format("Numbers  unit {:g}, q = 2^{}, error of sums at most {:.2g}; see tacit plan --help\n",
                       plan->unit, plan->modulus_bits, plan->error());
  const ConsensusPlan& plan = *report.plan.consensus();
  return fmt::format("Numbers  L_z = {:g}, L_w = 1/{}, q = 2^{}, T = {}, λ = {:.4g}; see tacit plan --help\n",
                     plan.lz, plan.denominator, plan.modulus_bits, plan.iterations, plan.lambda);
}

std::string who_text(const SimulateOptions& o, const Parties& parties, const StudyReport& report) {
  std::vector<Index> rows;
  for (std::size_t i = 0; i < parties.count(); ++i) rows.push_back(parties.rows_of(i)->rows());
  const auto [fewest, most] = std::minmax_element(rows.begin(), rows.end());
  const std::string each =
      *fewest == *most ? fmt::format("{} each", *most) : fmt::format("{} to {} each", *fewest, *most);
  const std::string helpers = o.plan.helpers
                                  ? fmt::format(", {} for {}", plural(report.network.mask_edges, "mask edge"),
                                                plural(o.plan.helpers, "helper"))
                                  : "";
  return fmt::format("Who      {} on {} ({}{}), {} ({}), predicting {} at {}\n", plural(rows.size(), "agent"),
                     to_string(*o.plan.topology), plural(report.network.edges, "edge"), helpers,
                     plural(parties.rows(), "row"), each, fmt::join(parties.columns.targets, ", "),
                     plural(static_cast<std::uint64_t>(parties.test.inputs.rows()), "test point"));
}

}  // namespace

void print_text(const SimulateOptions& o, const Parties& parties, const StudyReport& report) {
  const std::string indent(9, ' ');
  fmt::print("{}", who_text(o, parties, report));
  fmt::print("{}", data_text(parties));
  if (report.standardising) fmt::print("{}", standardise_text(*report.standardising));
  fmt::print("{}", model_text(report, o.study, parties));
  fmt::print("{}", tuning_text(report));
  fmt::print("{}", landmarks_text(report, o.study));

  fmt::print("{}", report.accuracy
                       ? accuracy_text(*report.accuracy, o.study, report.model.landmarks.has_value(),
                                       parties.columns.targets)
                       : "Worth    unknown, because the test file has no targets\n");
  if (report.protect) fmt::print("{}", protect_text(*report.protect));
  if (report.holdout) fmt::print("{}", holdout_text(*report.holdout, *o.study.holdout));
  fmt::print(
      "Exact    RMSE against plain distributed GPR: mean {:.3g}, variance {:.3g}; agents differ by at "
      "most {:.3g}\n",
      report.predictions.rmse.mean, report.predictions.rmse.variance, report.predictions.disagreement.mean);
  const ConsensusPlan* rounds = report.plan.consensus();
  if (rounds && report.predictions.unconverged)
    fmt::print(
        "{}not converged: {} of the agents' variances are not positive; T = {} is too small for this graph\n",
        indent, count(report.predictions.unconverged), rounds->iterations);
  fmt::print("Cost     {}, {}, {}; {} local models, {} protocol{}, {} network\n",
             plural(report.network.cost.rounds, "round"), plural(report.network.cost.messages, "message"),
             size(report.network.cost.bytes), duration(report.seconds.local),
             duration(report.seconds.protocol),
             report.tuning.any() ? ", " + duration(report.seconds.tuning) + " tuning" : "",
             duration(report.network.cost.network_seconds));
  fmt::print("Private  {}\n", privacy_text(report.privacy, indent));
  fmt::print("{}", numbers_text(report));
  if (rounds && rounds->iterations < rounds->enough_iterations())
    fmt::print("Note     T = {} is below the {} iterations that shrink the initial disagreement to L_z\n",
               count(rounds->iterations), count(rounds->enough_iterations()));
  if (rounds && !std::isfinite(report.plan.gamma))
    fmt::print("Note     {}\n", nothing_promised(*rounds, report.plan.bounds.variance_high));
  if (report.tuning.paper && report.tuning.paper->likelihood_after < report.tuning.paper->likelihood_before)
    fmt::print("Note     tuning lowered the likelihood: try a smaller --tune-step\n");
  if (report.model.jitter > 0)
    fmt::print(
        "Note     {:.2g} was added to the diagonal of a covariance to factorise it; usual causes: duplicate "
        "rows, low noise\n",
        report.model.jitter);
  if (report.model.clamped)
    fmt::print("Note     {} of the local variances were raised to the smallest value that the data allow\n",
               count(report.model.clamped));
  for (const std::string& warning : in_options(study_warnings(parties, o.study, report)))
    fmt::print("Warning  {}\n", warning);
}

}  // namespace tacit::cli
