#include "tacit/cli/lab/simulate_options.hpp"

#include <fmt/format.h>

#include "tacit/base/error.hpp"
#include "tacit/charter/terms.hpp"
#include "tacit/cli/options/values.hpp"
#include "tacit/gp/defaults.hpp"

namespace tacit::cli {
namespace {

void check_tuning(const Given& given, TuneBy tune) {
  const auto refuse = [&](std::initializer_list<const char*> settings, const char* use) {
    for (const char* id : settings)
      if (given.contains(id))
        throw InputError(fmt::format("`{}` applies only to {}, not to `tune={}`; omit it or change `tune`",
                                     id, use, word_for(tune_words(), tune)));
  };
  if (tune != TuneBy::paper)
    refuse({"tune_iterations", "tune_step", "tune_decay", "tune_gradient", "tune_lz", "tune_start"},
           "`tune=paper`");
  if (tune != TuneBy::exact)
    refuse(
        {"noise_floor", "lengthscale_floor", "restarts", "tune_shared", "tune_landmarks", "tune_evaluations"},
        "`tune=exact`");
  if (tune == TuneBy::none) refuse({"tune_box"}, "`tune=exact` and `tune=paper`");
}

// Fills in the defaults: those of a new charter, or those of the paper. Numbers given by hand are in the
// data's units and are used unchanged.
void settle(SimulateOptions& o) {
  if (!o.plan.protocol && (o.paper || o.tune == TuneBy::paper)) o.plan.protocol = SumProtocol::consensus;
  o.plan.protocol = o.plan.chosen(SumProtocol::exact);
  const bool consensus = o.plan.protocol == SumProtocol::consensus, as_given = o.paper || o.model.by_hand();
  if (!o.standardise) o.standardise = !as_given;
  if (!o.tune) o.tune = as_given || consensus ? TuneBy::none : TuneBy::exact;
  if (!o.landmarks) o.landmarks = o.paper || consensus ? LandmarkCount{0} : LandmarkCount{};
  if (!o.model.fusion) o.model.fusion = o.paper || consensus ? paper_fusion : consortium_defaults.fusion;
}

// Refuses options that need all rows of an agent at once, before any rows are read.
void check_stream(const SimulateOptions& o) {
  const auto refuse = [](const char* option) {
    throw InputError(fmt::format(
        "{} needs all rows of an agent in memory, but `stream` never loads them all; omit one of the two",
        option));
  };
  if (o.study.model.committee.split == RowSplit::clusters) refuse("`expert_split=clusters`");
  if (o.tune == TuneBy::paper) refuse("`tune=paper`");
}

void take_in_tuning(SimulateOptions& o) {
  if (o.tune_box) std::tie(o.paper_tuning.steps.box_low, o.paper_tuning.steps.box_high) = *o.tune_box;
  if (o.tune == TuneBy::paper) {
    o.paper_tuning.seed = o.data.seed;
    o.study.paper_tuning = o.paper_tuning;
  } else if (o.tune == TuneBy::exact) {
    o.search.box_low = o.paper_tuning.steps.box_low;
    o.search.box_high = o.paper_tuning.steps.box_high;
    o.search.seed = o.data.seed;
    o.study.tuning.search = o.search;
  }
}

void take_in_protection(SimulateOptions& o, const Given& given) {
  for (const char* option : {"rho", "colluding"})
    if (given.contains(option) && !o.protect_rows)
      throw InputError(fmt::format("`{0}` applies only with `protect=both`; add it, or omit `{0}`", option));
  if (!o.protect_rows) return;
  if (o.plan.protocol == SumProtocol::consensus)
    throw InputError(
        "`protect=both` needs exact sums: the states of the consensus show partial sums, which carry only a "
        "part of the noise; omit `protect`, or use the exact protocol");
  o.study.protect = o.protection;
}

void take_in_landmarks(SimulateOptions& o) {
  LandmarkTerms& landmarks = o.study.model.landmarks;
  landmarks.seed = o.data.seed;
  landmarks.above_ceiling = true;  // there is no charter; the report states what agents would need
  landmarks.count = o.landmarks->count;
}

// The model and the search of a new charter for these inputs, except for what the user gave.
void take_in_model(SimulateOptions& o, std::size_t inputs) {
  const CharterModel usual = usual_model(inputs, o.study.model.standardise);
  o.study.model.start = o.model.prior(inputs, usual.lengthscale, usual.noise);
  if (!o.study.tuning.search) return;
  const CharterTuning tuning = usual_tuning(usual, inputs);
  o.study.tuning.search->noise_low = o.noise_floor.value_or(tuning.noise_floor);
  o.study.tuning.search->lengthscale_low = o.lengthscale_floor.value_or(tuning.lengthscale_floor);
}

void add_files(CLI::App& command, SimulateOptions& o) {
  command
      .add_option("--data", o.data.data,
                  "Data: a file (CSV with a header, also gzipped; MATLAB; SQLite) or a database "
                  "(postgresql://USER@HOST/DATABASE or sqlite://FILE). Give one to split it among the "
                  "agents, or one for each agent")
      ->required()
      ->group("Data");
  command.add_option("--target", o.data.targets, "Column or columns to predict, separated by commas")
      ->required()
      ->delimiter(',')
      ->group("Data");
  command.add_option("--inputs", o.data.inputs, "Columns to predict from. Default: all others")
      ->delimiter(',')
      ->group("Data");
  CLI::Option* test = command
                          .add_option("--test", o.data.test,
                                      "File of points to predict. Targets in it are used only for scoring")
                          ->group("Data");
  command
      .add_option(
          "--test-fraction", o.data.test_fraction,
          "Share of the rows to set aside at random for testing. Default: 0.2, but at most 5,000 rows")
      ->excludes(test)
      ->group("Data");
  command
      .add_option("--agents", o.data.agents, "Number of agents M among which the rows are split. Default: 10")
      ->check(whole_number(2, 1'000'000))
      ->group("Data");
  command
      .add_option_function<std::string>(
          "--split",
          [&o](const std::string& text) { std::tie(o.data.split, o.data.split_column) = parse_split(text); },
          "How to split the rows: contiguous, shuffled, by:COLUMN, or regions (each agent gets one "
          "region of the inputs)")
      ->default_str("contiguous")
      ->group("Data");
  command.add_option("--y-max", o.data.y_max, "Public bound on |target|. Default: that of the data")
      ->group("Data");
}

void add_parts(CLI::App& command, SimulateOptions& o) {
  command
      .add_flag("--parts", o.data.parts,
                "Treat the files of --data as parts of one table, in this order, instead of one file for "
                "each agent")
      ->group("Data");
  command
      .add_option("--shares", o.data.shares,
                  "Run the query of --sql this many times, with {share} = 0, 1, ... and {shares} filled in, "
                  "so that the ranks of mpirun can divide the rows")
      ->group("Data");
  CLI::Option* stream = command
                            .add_flag("--stream", o.data.stream,
                                      "For more rows than fit in memory: write them to a scratch file, and "
                                      "read and compute a few experts at a time. The result is the same")
                            ->group("Data");
  command
      .add_option("--scratch", o.data.scratch,
                  "With --stream: the folder for the scratch file, which takes 8 bytes for every number of a "
                  "row. The file has no name and is deleted when the program ends. Default: TMPDIR, or /tmp")
      ->type_name("DIR")
      ->needs(stream)
      ->group("Data");
  add_choice(command, "--standardise,--standardize", o.standardise,
             Choices<bool>{{"private", true}, {"none", false}},
             "How to standardise columns: private (by each column's mean and deviation over all agents, "
             "from secure sums) or none. Default: private; none with --paper, or with numbers of the "
             "model given by hand, which are then in the data's units")
      ->expected(0, 1)
      ->default_str("private")
      ->option_text("[private|none]")
      ->group("Data");
  command
      .add_option("--holdout", o.holdout,
                  "Share of its rows that each agent holds out. Only the pooled RMSE and log density on "
                  "these rows become known")
      ->group("Data");
  add_choice(command, "--holdout-model", o.holdout_fused, Choices<bool>{{"alone", false}, {"fused", true}},
             "Model to score on held-out rows: alone (each agent's own expert; no other agent sees the "
             "rows) or fused (the private model; all agents see the rows' inputs)")
      ->group("Data");
}

void add_network(CLI::App& command, SimulateOptions& o) {
  command
      .add_flag("--paper", o.paper,
                "Use the paper's settings as defaults: --standardise none --tune none --landmarks 0 --fusion "
                "poe --protocol consensus")
      ->group("Model");
  o.plan.add_to(command);
  add_parsed(
      command, "--latency", o.study.network.latency,
      [](const std::string& text) { return parse_duration("--latency", text); },
      "Virtual time of a message, in seconds or with a unit, such as 0.2ms. Default: 0")
      ->group("Network");
  command
      .add_option("--bandwidth", o.study.network.bandwidth,
                  "Virtual bytes per second of a link, 0 for unlimited")
      ->capture_default_str()
      ->group("Network");
}

void add_model(CLI::App& command, SimulateOptions& o) {
  o.model.add_to(command, "Model");
  CLI::Option* drawn =
      add_parsed(command, "--landmarks", o.landmarks, parse_landmarks,
                 "Number of landmarks, public points through which the agents learn the pooled part of "
                 "the model. auto opens at most a quarter of the numbers that the rows hold; 0 uses "
                 "only experts, as in the paper. Default: auto; 0 with --paper or the consensus")
          ->type_name("auto|M")
          ->group("Model");
  command
      .add_option("--landmark-points", o.data.landmarks,
                  "A file of landmarks, in the columns of the inputs, instead of drawn ones")
      ->type_name("FILE")
      ->excludes(drawn)
      ->group("Model");
  add_choice(command, "--variance", o.observed_variance, Choices<bool>{{"latent", false}, {"observed", true}},
             "Variance of predictions: latent, or observed (with noise)")
      ->group("Model");
}

void add_tuning(CLI::App& command, SimulateOptions& o) {
  add_choice(command, "--tune", o.tune, tune_words(),
             "How to tune: exact (L-BFGS on the privately summed likelihood, for all hyperparameters "
             "and σ_ε), paper (private gradient consensus on θ_l and θ_s) or none. Default: exact; none "
             "with --paper, the consensus, or numbers of the model given by hand")
      ->group("Tuning");
  command
      .add_option("--tune-iterations", o.paper_tuning.steps.iterations,
                  "With --tune paper: number of gradient steps")
      ->check(whole_number(0, 10'000'000))
      ->capture_default_str()
      ->group("Tuning");
  command
      .add_option("--tune-step", o.paper_tuning.steps.step,
                  "With --tune paper: η₀ of the step size η₀ · decay^t")
      ->capture_default_str()
      ->group("Tuning");
  command.add_option("--tune-decay", o.paper_tuning.steps.decay, "With --tune paper: decay of the step size")
      ->capture_default_str()
      ->group("Tuning");
  add_choice(command, "--tune-gradient", o.paper_tuning.steps.gradient, gradient_words(),
             "With --tune paper: likelihood (∇h_i, as in the paper's text) or per-row (∇h_i/N_i, as in "
             "its code)")
      ->group("Tuning");
}

void add_tuning_numbers(CLI::App& command, SimulateOptions& o) {
  command.add_option("--tune-lz", o.paper_tuning.lz, "With --tune paper: L_z of the tuning")
      ->capture_default_str()
      ->group("Tuning");
  add_parsed(
      command, "--tune-box", o.tune_box,
      [](const std::string& text) { return parse_range("--tune-box", text); },
      fmt::format("LOW,HIGH: the box Ξ for all hyperparameters. Default: {},{}", consortium_defaults.low,
                  consortium_defaults.high))
      ->group("Tuning");
  add_parsed(
      command, "--tune-start", o.paper_tuning.start,
      [](const std::string& text) { return parse_range("--tune-start", text); },
      "With --tune paper: LOW,HIGH. Each agent starts at random in this range, instead of at "
      "--lengthscale and --signal")
      ->group("Tuning");
}

void add_search(CLI::App& command, SimulateOptions& o) {
  command
      .add_option(
          "--noise-floor", o.noise_floor,
          fmt::format(
              "With --tune exact: smallest noise that tuning may choose. Default: {} for standardised "
              "columns, as in charters; with less, predictions could follow single rows",
              consortium_defaults.noise_floor))
      ->group("Tuning");
  command
      .add_option("--lengthscale-floor", o.lengthscale_floor,
                  "With --tune exact: smallest length-scale that tuning may choose. Default: √inputs/2 for "
                  "standardised columns, as in charters")
      ->group("Tuning");
  command
      .add_option(
          "--restarts", o.search.restarts,
          "With --tune exact: number of additional searches from random starts. The best search is used")
      ->check(whole_number(0, 1'000))
      ->capture_default_str()
      ->group("Tuning");
  command
      .add_flag("--tune-shared", o.search.shared,
                "With --tune exact: one kernel and noise for all targets, which then share factorisations")
      ->group("Tuning");
  command
      .add_flag("--tune-landmarks", o.study.tuning.on_landmarks,
                "With --tune exact: tune on the likelihood of all rows through landmarks. This opens the "
                "landmarks' sums in every evaluation instead of once")
      ->group("Tuning");
  command
      .add_option("--tune-evaluations", o.search.limits.most_evaluations,
                  "With --tune exact: maximum number of evaluations of a search")
      ->check(whole_number(0, 10'000))
      ->capture_default_str()
      ->group("Tuning");
}

void add_protection(CLI::App& command, SimulateOptions& o) {
  add_choice(command, "--protect", o.protect_rows, Choices<bool>{{"sums", false}, {"both", true}},
             "What sums may show: sums (exact totals, as in the paper), or both: also fit with noise that "
             "protects each row, and show both")
      ->group("Protection");
  command
      .add_option("--rho", o.protection.rho,
                  "With --protect both: what the fit may cost each row, in zero-concentrated differential "
                  "privacy")
      ->capture_default_str()
      ->group("Protection");
  command
      .add_option("--colluding", o.protection.colluding,
                  "With --protect both: number of agents that may pool what they know; the noise is that of "
                  "the others. Default: a third of the agents")
      ->check(whole_number(1, 1'000'000))
      ->group("Protection");
}

void add_run(CLI::App& command, SimulateOptions& o) {
  command.add_option("--seed", o.data.seed, "Seed of the random splits, starts and simulated masks")
      ->check(whole_number(0, UINT64_MAX))
      ->capture_default_str()
      ->group("Run");
  command
      .add_option("--threads", o.study.threads,
                  "Number of threads, 0 for all cores. Results do not depend on it")
      ->capture_default_str()
      ->group("Run");
  o.result.add_to(command, "Run");
  command
      .add_flag("--all-agents", o.all_agents,
                "With --json: print the predictions of all agents, not only those of agent 0")
      ->group("Run");
}

}  // namespace

std::pair<SplitMode, std::string> parse_split(const std::string& text) {
  if (text == "contiguous") return {SplitMode::contiguous, ""};
  if (text == "shuffled") return {SplitMode::shuffled, ""};
  if (text == "regions") return {SplitMode::regions, ""};
  if (text.starts_with("by:") && text.size() > 3) return {SplitMode::by_column, text.substr(3)};
  throw InputError(
      fmt::format("`split={}` is unknown; use contiguous, shuffled, regions or by:COLUMN", text));
}

void SimulateOptions::add_to(CLI::App& command) {
  add_files(command, *this);
  reading.add_to(command);
  add_parts(command, *this);
  add_network(command, *this);
  add_model(command, *this);
  add_tuning(command, *this);
  add_tuning_numbers(command, *this);
  add_search(command, *this);
  add_protection(command, *this);
  add_run(command, *this);
}

void SimulateOptions::take_in(const Given& given) {
  SimulateOptions& o = *this;
  check_not_both(given, "test", "test_fraction");
  check_not_both(given, "landmarks", "landmark_points");
  if (given.contains("scratch") && !o.data.stream)
    throw InputError("`scratch` applies only with `stream`; add `stream`, or omit `scratch`");
  o.plan.given = given;
  o.study.model.committee = o.model.seeded_committee(o.data.seed);
  settle(o);
  check_tuning(given, *o.tune);
  if (o.data.stream) check_stream(o);
  o.data.reading = o.reading.checked();
  if (!(o.study.network.bandwidth == 0 ||
        (o.study.network.bandwidth >= 1 && o.study.network.bandwidth < 1e18)))
    throw InputError(fmt::format("`bandwidth={}`: give 0 for unlimited, or at least 1 byte per second",
                                 o.study.network.bandwidth));
  if (o.data.data.size() == 1 && o.data.split != SplitMode::by_column)
    o.data.agents = o.plan.settled_agents(o.data.agents);
  o.study.helpers = o.plan.helpers;
  ProtocolTerms& protocol = o.study.protocol;
  protocol.sums = *o.plan.protocol;
  protocol.collusion = o.plan.collusion;
  protocol.consensus = o.plan.checked();
  protocol.unit = protocol.consensus.lz;
  o.study.seed = o.data.seed;
  o.study.model.standardise = *o.standardise;
  o.study.model.fusion = *o.model.fusion;
  if (o.holdout) o.study.holdout = HoldOut{*o.holdout, o.holdout_fused};
  take_in_tuning(o);
  take_in_landmarks(o);
  take_in_protection(o, given);
}

void SimulateOptions::settle_for(const Parties& parties) {
  plan.settle_topology(parties.count());
  study.topology = *plan.topology;
  take_in_model(*this, parties.columns.inputs.size());
  if (!data.landmarks) return;
  study.model.landmarks.listed = parties.landmarks;
  study.model.landmarks.count = static_cast<std::size_t>(parties.landmarks.rows());
}

}  // namespace tacit::cli
