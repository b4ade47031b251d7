// tacit simulate: all agents in one process, on data files.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <iostream>

#include "tacit/base/error.hpp"
#include "tacit/cli/commands.hpp"
#include "tacit/cli/data_options.hpp"
#include "tacit/cli/json.hpp"
#include "tacit/cli/model_options.hpp"
#include "tacit/cli/numbers.hpp"
#include "tacit/cli/plan_options.hpp"
#include "tacit/cli/progress_bar.hpp"
#include "tacit/cli/stage_report.hpp"
#include "tacit/regression/landmarks.hpp"
#include "tacit/simulation/study.hpp"

namespace tacit::cli {
namespace {

struct SimulateOptions {
  PartyOptions data;
  DataOptions reading;
  PlanOptions plan;
  StudyOptions study;
  PaperTuning paper_tuning;
  ExactTuneOptions search;
  ModelOptions model;
  std::optional<double> holdout;
  std::string split = "contiguous", tune = "none", standardise = "none", variance = "latent";
  std::string tune_gradient = "likelihood", tune_box, tune_start, latency = "0", holdout_model = "alone";
  std::string landmarks;  // what was asked for; empty for what is advised
  bool json = false, all_agents = false;
};

void add_options(CLI::App& command, SimulateOptions& o) {
  command
      .add_option("--data", o.data.data,
                  "Data file: CSV with a header (also gzipped) or MATLAB; give one to split it among agents, "
                  "or one for each agent")
      ->required()
      ->group("Data");
  command.add_option("--target", o.data.targets, "Column or columns to predict, separated by commas")
      ->required()
      ->delimiter(',')
      ->group("Data");
  command.add_option("--inputs", o.data.inputs, "Columns to predict from; all others when left out")
      ->delimiter(',')
      ->group("Data");
  CLI::Option* test =
      command
          .add_option("--test", o.data.test, "File of points to predict; targets in it are for scoring only")
          ->group("Data");
  command
      .add_option("--test-fraction", o.data.test_fraction,
                  "Share of the rows to hold out at random for testing")
      ->capture_default_str()
      ->excludes(test)
      ->group("Data");
  command.add_option("--agents", o.data.agents, "Number of agents M to split the rows among (10)")
      ->check(whole_number(2, 1'000'000))
      ->group("Data");
  command
      .add_option("--split", o.split,
                  "contiguous, shuffled, by:COLUMN, or regions (every agent sees one region of the inputs)")
      ->capture_default_str()
      ->group("Data");
  command.add_option("--y-max", o.data.y_max, "Public bound on |target|; the data's own when left out")
      ->group("Data");
  o.reading.add_to(command);
  command
      .add_option("--standardise", o.standardise,
                  "none, or private: every column's mean and deviation over all agents by secure sums")
      ->capture_default_str()
      ->group("Data");
  command
      .add_option("--holdout", o.holdout,
                  "Share of its rows that every agent holds out; only the pooled RMSE and log density on "
                  "them become known")
      ->group("Data");
  command
      .add_option(
          "--holdout-model", o.holdout_model,
          "What held-out rows score: alone (each agent's expert, on its own rows, shown to nobody) or "
          "fused (the private model; the rows' inputs are shown to all agents)")
      ->capture_default_str()
      ->group("Data");

  o.plan.add_to(command);
  command
      .add_option("--latency", o.latency,
                  "Virtual time a message takes: seconds, or with a unit such as 0.2ms (0)")
      ->group("Network");
  command
      .add_option("--bandwidth", o.study.network.bandwidth,
                  "Virtual bytes per second of a link; 0 is unlimited")
      ->capture_default_str()
      ->group("Network");

  o.model.fusion.clear();  // what is advised depends on other options
  o.model.add_to(command, "Model");
  CLI::Option* landmarks =
      command
          .add_option("--landmarks", o.landmarks,
                      "Public points through which all agents learn the pooled part of the model: auto (as "
                      "many as open at most a quarter of what the rows hold), a number, or 0 for experts "
                      "alone, the paper's (auto; 0 with --protocol consensus, --tune paper or --helpers)")
          ->type_name("auto|M")
          ->group("Model");
  command
      .add_option("--landmark-points", o.data.landmarks,
                  "A file with the landmarks, in the columns of the inputs, instead of drawn ones")
      ->type_name("FILE")
      ->excludes(landmarks)
      ->group("Model");
  command.add_option("--variance", o.variance, "What predictions report: latent, or observed (with noise)")
      ->capture_default_str()
      ->group("Model");

  command
      .add_option("--tune", o.tune,
                  "none, paper for private gradient consensus on θ_l and θ_s, or exact for L-BFGS on the "
                  "privately summed likelihood of all the kernel's numbers and σ_ε")
      ->capture_default_str()
      ->group("Tuning");
  command.add_option("--tune-iterations", o.paper_tuning.steps.iterations, "Gradient steps")
      ->check(whole_number(0, 10'000'000))
      ->capture_default_str()
      ->group("Tuning");
  command.add_option("--tune-step", o.paper_tuning.steps.step, "η₀ of the step size η₀ · decay^t")
      ->capture_default_str()
      ->group("Tuning");
  command.add_option("--tune-decay", o.paper_tuning.steps.decay, "decay of the step size")
      ->capture_default_str()
      ->group("Tuning");
  command
      .add_option("--tune-gradient", o.tune_gradient,
                  "likelihood for ∇h_i as the paper writes, per-row for ∇h_i/N_i as its code had it")
      ->capture_default_str()
      ->group("Tuning");
  command.add_option("--tune-lz", o.paper_tuning.lz, "L_z of the tuning")
      ->capture_default_str()
      ->group("Tuning");
  command.add_option("--tune-box", o.tune_box, "LOW,HIGH, the box Ξ that parameters stay in (0.01,100)")
      ->group("Tuning");
  command
      .add_option(
          "--tune-start", o.tune_start,
          "LOW,HIGH: each agent starts at random in this range instead of at --lengthscale and --signal")
      ->group("Tuning");

  command
      .add_option("--restarts", o.search.restarts,
                  "With --tune exact: further searches from random starts; the best one is used")
      ->check(whole_number(0, 1'000))
      ->capture_default_str()
      ->group("Tuning");
  command
      .add_flag("--tune-shared", o.search.shared,
                "With --tune exact: one kernel and noise for all targets, which then share their factors")
      ->group("Tuning");
  command
      .add_flag(
          "--tune-landmarks", o.study.tuning.on_landmarks,
          "With --tune exact: tune on the likelihood of all rows through landmarks. It opens their sums in "
          "every evaluation, not once")
      ->group("Tuning");
  command
      .add_option("--tune-evaluations", o.search.limits.most_evaluations,
                  "With --tune exact: the most evaluations of a search")
      ->check(whole_number(0, 10'000))
      ->capture_default_str()
      ->group("Tuning");

  command.add_option("--seed", o.data.seed, "Seed of the random splits, starts and simulated masks")
      ->check(whole_number(0, UINT64_MAX))
      ->capture_default_str()
      ->group("Run");
  command
      .add_option("--threads", o.study.threads,
                  "Number of threads, 0 for all cores; results do not depend on it")
      ->capture_default_str()
      ->group("Run");
  command.add_flag("--json", o.json, "One JSON object on standard output")->group("Run");
  command
      .add_flag("--all-agents", o.all_agents,
                "With --json: every agent's predictions, not only those of agent 0")
      ->group("Run");
}

void take_in_tuning(SimulateOptions& o) {
  if (!o.tune_box.empty())
    std::tie(o.paper_tuning.steps.box_low, o.paper_tuning.steps.box_high) =
        parse_range("--tune-box", o.tune_box);
  if (o.tune == "paper") {
    if (!o.tune_start.empty()) o.paper_tuning.start = parse_range("--tune-start", o.tune_start);
    o.paper_tuning.steps.gradient =
        o.tune_gradient == "likelihood" ? GradientOf::likelihood : GradientOf::likelihood_per_row;
    o.paper_tuning.seed = o.data.seed;
    o.study.tuning.paper = o.paper_tuning;
  } else if (o.tune == "exact") {
    if (!o.tune_start.empty())
      throw InputError("--tune-start is for --tune paper; --tune exact has one start, and --restarts more");
    o.search.box_low = o.paper_tuning.steps.box_low;
    o.search.box_high = o.paper_tuning.steps.box_high;
    o.search.seed = o.data.seed;
    o.study.tuning.search = o.search;
  }
}

std::size_t parse_landmarks(const std::string& text) {
  std::size_t count = 0;
  const auto [end, failed] = std::from_chars(text.data(), text.data() + text.size(), count);
  if (failed != std::errc() || end != text.data() + text.size() || count > most_landmarks)
    throw InputError(fmt::format("--landmarks {} is wrong; give auto or a whole number from 0 to {}", text,
                                 most_landmarks));
  return count;
}

void take_in_landmarks(SimulateOptions& o) {
  LandmarkTerms& landmarks = o.study.model.landmarks;
  landmarks.seed = o.data.seed;
  landmarks.above_ceiling = true;  // there is no charter; the report says what agents would need
  const bool possible =
      o.study.protocol.sums != SumProtocol::consensus && !o.study.tuning.paper && o.study.helpers == 0;
  if (o.model.fusion.empty()) o.model.fusion = possible ? "rbcm" : "poe";
  o.study.model.fusion = o.model.checked_fusion();
  if (o.landmarks == "auto" || (o.landmarks.empty() && possible))
    landmarks.count.reset();
  else if (!o.landmarks.empty())
    landmarks.count = parse_landmarks(o.landmarks);
}

void take_in(SimulateOptions& o) {
  o.study.model.committee = o.model.checked_committee(o.data.seed);
  o.model.parsed_kernel();  // before anything is read
  check_word("--tune", o.tune, {"none", "paper", "exact"});
  check_word("--standardise", o.standardise, {"none", "private"});
  check_word("--holdout-model", o.holdout_model, {"alone", "fused"});
  check_word("--variance", o.variance, {"latent", "observed"});
  check_word("--tune-gradient", o.tune_gradient, {"likelihood", "per-row"});
  if (o.split == "shuffled") {
    o.data.split = SplitMode::shuffled;
  } else if (o.split.starts_with("by:") && o.split.size() > 3) {
    o.data.split = SplitMode::by_column;
    o.data.split_column = o.split.substr(3);
  } else if (o.split == "regions") {
    o.data.split = SplitMode::regions;
  } else if (o.split != "contiguous") {
    throw InputError(
        fmt::format("--split {} is unknown; use contiguous, shuffled, regions or by:COLUMN", o.split));
  }
  o.data.reading = o.reading.checked();
  o.study.network.latency = parse_duration("--latency", o.latency);
  if (!(o.study.network.bandwidth == 0 ||
        (o.study.network.bandwidth >= 1 && o.study.network.bandwidth < 1e18)))
    throw InputError(
        fmt::format("--bandwidth {} is wrong; give 0 for unlimited, or at least 1 byte per second",
                    o.study.network.bandwidth));
  o.study.topology = o.plan.topology;
  o.study.helpers = o.plan.helpers;
  if (o.plan.protocol.empty() && o.tune == "paper") o.plan.protocol = "consensus";
  o.plan.protocol = o.plan.chosen("exact");
  ProtocolTerms& protocol = o.study.protocol;
  protocol.sums = parse_sum_protocol(o.plan.protocol);
  protocol.collusion = o.plan.collusion;
  protocol.consensus = o.plan.checked();
  protocol.unit = protocol.consensus.lz;
  o.study.seed = o.data.seed;
  o.study.model.standardise = o.standardise == "private";
  if (o.holdout) o.study.holdout = HoldOut{*o.holdout, o.holdout_model == "fused"};
  take_in_tuning(o);
  take_in_landmarks(o);
}

void print_json(const SimulateOptions& o, const Parties& parties, const StudyReport& report) {
  const Vector added =
      o.variance == "observed" ? report.noise_variance : Vector::Zero(report.noise_variance.size()).eval();
  Json out;
  out["agents"] = parties.agents.size();
  out["helpers"] = o.plan.helpers;
  Json rows = Json::array();
  for (const Samples& agent : parties.agents) rows.push_back(agent.inputs.rows());
  out["rows"] = std::move(rows);
  out["names"] = parties.names;
  out["inputs"] = parties.inputs;
  out["targets"] = parties.targets;
  out["data"] = data_json(parties);
  out["topology"] = o.plan.topology;
  out["protocol"] = o.plan.protocol;
  const bool rounds = o.study.protocol.sums == SumProtocol::consensus;  // what exact has no use for is null
  out["masks"] = rounds ? Json(o.plan.masks) : Json(nullptr);
  out["acceleration"] = rounds ? Json(o.plan.acceleration) : Json(nullptr);
  out["blinding"] = rounds ? Json(o.plan.blinding) : Json(nullptr);
  out["fusion"] = o.model.fusion;
  out["kernel"] = report.priors[0][0].kernel.form();
  out["experts"] = report.experts;
  const Priors shared = mean_priors(report.priors);
  out["hyperparameters"] = prior_json(shared[0]);
  if (parties.targets.size() > 1) {
    Json outputs = Json::array();
    for (std::size_t k = 0; k < parties.targets.size(); ++k) outputs.push_back(prior_json(shared[k]));
    out["hyperparameters"]["outputs"] = std::move(outputs);
  }
  out["landmarks"] = landmarks_json(report);
  out["units"] = units_json(report);
  out["standardise"] = standardise_json(report);
  out["tuning"] = tuning_json(report);
  out["holdout"] = report.holdout ? holdout_json(*report.holdout, *o.study.holdout) : Json(nullptr);
  out["variance"] = o.variance;
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
  out["at_home"] = predictions_json(report.at_home[0], added);
  out["reference"] = predictions_json(report.reference, added);
  out["rmse"] = {{"mean", number(report.rmse_mean)}, {"variance", number(report.rmse_variance)}};
  out["disagreement"] = {{"mean", number(report.disagreement_mean)},
                         {"variance", number(report.disagreement_variance)}};
  out["unconverged"] = report.unconverged;
  out["accuracy"] = nullptr;
  if (report.accuracy) out["accuracy"] = accuracy_json(*report.accuracy);
  out["numerics"] = {{"jitter", report.jitter}, {"clamped", report.clamped}};
  out["traffic"] = {
      {"rounds", report.cost.rounds}, {"messages", report.cost.messages}, {"bytes", report.cost.bytes}};
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
  std::cout << out.dump(2) << '\n';
}

std::string numbers_text(const StudyReport& report) {
  if (report.exact_plan)
    return fmt::format(
        "Numbers  values in units of {:g}, q = 2^{}, sums off by at most {:.2g}; see tacit plan --help\n",
        report.exact_plan->unit, report.exact_plan->modulus_bits, report.exact_plan->error());
  return fmt::format("Numbers  L_z = {:g}, L_w = 1/{}, q = 2^{}, T = {}, λ = {:.4g}; see tacit plan --help\n",
                     report.plan.lz, report.plan.denominator, report.plan.modulus_bits,
                     report.plan.iterations, report.plan.lambda);
}

void print_text(const SimulateOptions& o, const Parties& parties, const StudyReport& report) {
  std::vector<Index> rows;
  for (const Samples& agent : parties.agents) rows.push_back(agent.inputs.rows());
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
  fmt::print("{}", model_text(report, o.study, parties.targets));
  fmt::print("{}", tuning_text(report));
  fmt::print("{}", landmarks_text(report));

  fmt::print("{}", report.accuracy ? accuracy_text(*report.accuracy, o.study, report.landmarks.has_value())
                                   : "Worth    unknown: the test file has no targets to compare with\n");
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
        "Note     a covariance needed {:.2g} on its diagonal to be factorised: duplicate rows, or "
        "little noise\n",
        report.jitter);
  if (report.clamped)
    fmt::print("Note     {} of the local variances were lifted to the smallest value the data allow\n",
               count(report.clamped));
}

void run(SimulateOptions& o) {
  take_in(o);
  const Parties parties = gather_parties(o.data);
  const std::size_t inputs = parties.inputs.size();
  o.study.model.start = o.study.model.standardise ? o.model.prior(standard_scale(inputs), 0.5)
                                                  : o.model.prior(unit_scale(inputs), 0.1);
  if (o.data.landmarks) {
    o.study.model.landmarks.listed = parties.landmarks;
    o.study.model.landmarks.count = static_cast<std::size_t>(parties.landmarks.rows());
  }
  Progress progress;
  StudyReport report;
  {
    const ProgressBar bar(progress);
    report = run_study(parties, o.study, &progress);
  }
  if (o.json)
    print_json(o, parties, report);
  else
    print_text(o, parties, report);
}

}  // namespace

void add_simulate(CLI::App& program) {
  CLI::App* command = program.add_subcommand("simulate", "Simulate all agents in one process, on data files");
  auto options = std::make_shared<SimulateOptions>();
  add_options(*command, *options);
  command->footer(
      "Examples:\n"
      "  tacit simulate --data data/diabetes.csv --target y --lengthscale 100 --signal 300 --noise 55\n"
      "  tacit simulate --data data/diabetes.csv --target y --standardise private --tune exact --holdout "
      "0.2\n"
      "  tacit simulate --data a.csv --data b.csv --data c.csv --target y --topology complete --test new.csv "
      "--json\n"
      "  tacit simulate --data a.csv.gz --data b.csv --target y --missing drop --categorical "
      "sex,stage:1|2|3\n"
      "  tacit simulate --data arm.csv --target tau1,tau2 --agents 20 --iterations 100 --latency 0.2ms "
      "--tune paper\n"
      "  tacit simulate --data arm.csv --target tau1 --kernel \"se-ard + linear + constant\" --fusion rbcm "
      "--standardise private --tune exact");
  command->callback([options] { run(*options); });
}

}  // namespace tacit::cli
