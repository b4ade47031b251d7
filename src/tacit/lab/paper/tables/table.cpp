#include "tacit/lab/paper/tables/table.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "tacit/base/error.hpp"
#include "tacit/consortium/secure_sum.hpp"
#include "tacit/graph/generators.hpp"
#include "tacit/lab/mask_helpers/helped_plan.hpp"
#include "tacit/lab/paper/tables/rivals.hpp"
#include "tacit/lab/study/study.hpp"
#include "tacit/protocol/consensus/consensus.hpp"

namespace tacit {
namespace {

constexpr std::size_t paper_iterations = 100;
constexpr double paper_lz = 1e-4;

// Why this row is left out; empty if it is not.
std::string why_not(const Variant& variant, const TableCase& network) {
  if (variant.name == "T planned" && network.agents > 20)
    return "on a ring of 40, the paper's iteration takes as long to converge as all other rows take together";
  if (variant.helpers > 0 && network.degree + 1 == network.agents)
    return "a helper raises the collusion bound only on sparse graphs, but this graph is complete";
  return "";
}

ConsensusPlan plan_for(const HelpedGraph& graph, const Parties& parties, const Variant& variant,
                       const OutputHyperparameters& shared) {
  PlanRequest request = prediction_request(parties, shared);
  request.lz = paper_lz;
  request.iterations = paper_iterations;
  if (variant.change) variant.change(request);
  return make_plan(graph, request);
}

std::unique_ptr<SecureSum> sum_for(const Variant& variant, const ConsensusPlan& plan) {
  if (!variant.exact) return std::make_unique<ConsensusSum>(plan);
  ExactRequest request;
  request.agents = plan.agents;
  return std::make_unique<ExactSecureSum>(request);
}

// The amount of work, for the progress bar.
std::uint64_t work_of(const Variant& variant, const HelpedGraph& graph, const ConsensusPlan& plan) {
  return variant.exact || variant.model ? 1 : planned_traffic(graph, plan).messages;
}

// A helper has no data and receives no prediction.
Task<Prediction> only_help(Run& net, const ConsensusPlan& plan) {
  co_await help(net, plan, 1);
  co_return Prediction{};
}

TableDraw paper_draw(const Parties& parties, const HelpedGraph& graph, const ConsensusPlan& plan,
                     const Variant& variant, const OutputHyperparameters& shared,
                     const ReproduceSettings& settings, const SimulatorOptions& options) {
  const PlainResult plain = plain_gpr(parties, shared, settings);
  Simulator simulator(graph, options);
  const std::unique_ptr<SecureSum> sum = sum_for(variant, plan);
  const PredictionSum asked{
      Fusion::poe, {plan.value_bound / static_cast<double>(plan.agents), plan.lz / 1024}, 1};
  std::vector<Evidence> evidence;
  for (const Prediction& alone : plain.alone) evidence.push_back(poe_evidence(alone));
  const Matrix no_prior;
  auto predictions = simulator.run<Prediction>([&](Run& net) {
    return net.neighbourhood().helps() ? only_help(net, plan)
                                       : predict_privately(net, *sum, asked, evidence[net.self()], no_prior);
  });
  predictions.resize(parties.agents.size());
  return {paper_rmse(predictions, &Prediction::mean, plain.fused.mean),
          paper_rmse(predictions, &Prediction::latent_variance, plain.fused.latent_variance),
          test_error(predictions[0], parties),
          plain.work_seconds(),
          plain.longest_seconds(),
          simulator.cost()};
}

TableDraw other_draw(const OtherModelRun& run) {
  const double unknown = std::numeric_limits<double>::infinity();
  return {unknown,
          unknown,
          run.test_error,
          std::accumulate(run.seconds.begin(), run.seconds.end(), 0.0),
          *std::max_element(run.seconds.begin(), run.seconds.end()),
          run.cost};
}

// Exact sums and other models are compared with the rivals and are drawn as often. The other options are
// drawn less often, because together they take minutes.
std::size_t repeats_of(const Variant& variant, const ReproduceSettings& settings) {
  if (!variant.change) return settings.repeats;
  return variant.exact || variant.model ? rival_repeats(settings)
                                        : std::max<std::size_t>(1, settings.repeats / 20);
}

}  // namespace

Graph TableCase::graph() const {
  return degree + 1 == agents ? complete_graph(agents) : ring_lattice(agents, degree);
}

const std::vector<Variant>& table_variants() {
  const auto harden = [](Hardening hardening, bool plan_iterations) {
    return [=](PlanRequest& r) {
      r.hardening = hardening;
      if (plan_iterations) r.iterations.reset();
    };
  };
  constexpr auto seeded = MaskSource::seeded;
  constexpr auto chebyshev = Acceleration::chebyshev;
  static const std::vector<Variant> all{
      {"as in the paper", nullptr},
      {"range modulus", [](PlanRequest& r) { r.rule = ModulusRule::range; }},
      {"T planned", [](PlanRequest& r) { r.iterations.reset(); }},
      {"one helper", [](PlanRequest&) {}, 1},
      {"seeded masks", harden({.masks = seeded}, false)},
      {"seeded, Chebyshev", harden({.masks = seeded, .acceleration = chebyshev}, true)},
      {"protocol exact", [](PlanRequest&) {}, 0, true},
      {"seeded, Chebyshev, blinded",
       harden({.masks = seeded, .acceleration = chebyshev, .blinding = 40}, true)},
      {"alone", [](PlanRequest&) {}, 0, false, OtherModel{0, true}},
      {"rbcm", [](PlanRequest&) {}, 0, false, OtherModel{0}},
      {"landmarks, together", [](PlanRequest&) {}, 0, false, OtherModel{}},
      {"landmarks, at home", [](PlanRequest&) {}, 0, false, OtherModel{{}, true}},
  };
  return all;
}

std::vector<TableCase> table_cases(const DataSet& data) {
  std::vector<TableCase> cases;
  for (const PublishedRow& row : published_table)
    if (row.data == data.name) cases.push_back({row.agents, row.degree});
  return cases;
}

Spread spread_of(const std::vector<double>& values) {
  double sum = 0, squares = 0;
  for (double v : values) sum += v;
  const double n = static_cast<double>(values.size()), mean = sum / n;
  for (double v : values) squares += (v - mean) * (v - mean);
  return {mean, values.size() > 1 ? std::sqrt(squares / (n - 1)) : std::numeric_limits<double>::quiet_NaN()};
}

const PublishedRow* TableRow::published() const {
  if (variant != table_variants()[0].name) return nullptr;
  for (const PublishedRow& row : published_table)
    if (row.data == data && row.agents == network.agents && row.degree == network.degree) return &row;
  return nullptr;
}

const Variant& variant_named(std::string_view name) {
  for (const Variant& variant : table_variants())
    if (variant.name == name) return variant;
  throw Error(fmt::format("the table has no variant '{}'", name));
}

SimulatorOptions table_simulator(const ReproduceSettings& settings, std::uint64_t seed) {
  return {.threads = settings.used_threads(),
          .seed = seed,
          .network = {.latency = table_latency, .bandwidth = 0},
          .coalition = {},
          .progress = nullptr};
}

void summarise(const std::vector<TableDraw>& draws, TableRow& row) {
  const auto spread = [&](auto&& value) {
    std::vector<double> values;
    for (const TableDraw& draw : draws) values.push_back(value(draw));
    return spread_of(values);
  };
  row.rmse_mean = spread([](const TableDraw& d) { return d.rmse_mean; });
  row.rmse_variance = spread([](const TableDraw& d) { return d.rmse_variance; });
  row.test_error = spread([](const TableDraw& d) { return d.test_error; });
  row.plain_work = spread([](const TableDraw& d) { return d.plain_work; });
  row.plain_longest = spread([](const TableDraw& d) { return d.plain_longest; });
  row.protocol_work = spread([](const TableDraw& d) { return d.cost.work_seconds; });
  row.protocol_longest = spread([](const TableDraw& d) { return d.cost.busiest_seconds; });
  row.network_seconds = spread([](const TableDraw& d) { return d.cost.network_seconds; });
  row.total_work = spread([](const TableDraw& d) { return d.total_work(); });
  row.total_longest = spread([](const TableDraw& d) { return d.total_longest(); });
  const SimulationCost& last = draws.back().cost;
  row.rounds = last.rounds;
  row.messages = last.messages;
  row.bytes = last.bytes;
}

TableDraw draw_once(const Parties& parties, const TableCase& network, const Variant& variant,
                    const OutputHyperparameters& shared, const ReproduceSettings& settings,
                    std::uint64_t seed, TableRow* row) {
  const HelpedGraph graph = with_helpers(network.graph(), variant.helpers);
  const ConsensusPlan plan = plan_for(graph, parties, variant, shared);
  const SimulatorOptions options = table_simulator(settings, seed);
  if (row) row->plan = plan;
  if (row && (variant.exact || variant.model)) row->plan.iterations = 0;
  if (!variant.model) return paper_draw(parties, graph, plan, variant, shared, settings, options);
  const OtherModelRun run = run_other_model(parties, graph.agents, *variant.model, shared, options);
  if (row) row->landmarks = run.landmarks;
  return other_draw(run);
}

TableRow run_table_row(const DataSet& data, const TableCase& network, const Variant& variant,
                       const OutputHyperparameters& shared, std::size_t repeats,
                       const ReproduceSettings& settings) {
  TableRow row;
  row.data = data.name;
  row.variant = variant.name;
  row.network = network;
  row.repeats = repeats;
  row.other_model = variant.model.has_value();
  std::vector<TableDraw> draws;
  for (std::size_t repeat = 0; repeat < repeats; ++repeat) {
    const std::uint64_t seed = settings.seed + repeat;
    draws.push_back(draw_once(deal(data, network.agents, seed), network, variant, shared, settings, seed,
                              repeat == 0 ? &row : nullptr));
    if (settings.progress)
      settings.progress->done += work_of(variant, with_helpers(network.graph(), variant.helpers), row.plan);
  }
  summarise(draws, row);
  return row;
}

TableRow left_out_row(const DataSet& data, const TableCase& network, std::string variant, std::string why) {
  constexpr double none = std::numeric_limits<double>::quiet_NaN();
  constexpr Spread nothing{none, none};
  TableRow row;
  row.data = data.name;
  row.variant = std::move(variant);
  row.network = network;
  row.left_out = std::move(why);
  for (Spread* spread :
       {&row.rmse_mean, &row.rmse_variance, &row.test_error, &row.plain_work, &row.plain_longest,
        &row.protocol_work, &row.protocol_longest, &row.network_seconds, &row.total_work, &row.total_longest})
    *spread = nothing;
  return row;
}

PaperTable reproduce_table(const std::vector<DataSet>& data, const ReproduceSettings& settings) {
  if (settings.progress) settings.progress->begin("tuning", 0);
  std::vector<OutputHyperparameters> shared;
  for (const DataSet& set : data) shared.push_back(tuned_hyperparameters(set, settings));

  // The progress bar counts messages.
  PaperTable table;
  std::uint64_t total = 0;
  for (std::size_t d = 0; d < data.size(); ++d)
    for (const Variant& variant : table_variants())
      for (const TableCase& network : table_cases(data[d])) {
        if (!why_not(variant, network).empty()) continue;
        const HelpedGraph graph = with_helpers(network.graph(), variant.helpers);
        const Parties parties = deal(data[d], network.agents, settings.seed);
        total += repeats_of(variant, settings) *
                 work_of(variant, graph, plan_for(graph, parties, variant, shared[d]));
      }
  if (settings.progress) settings.progress->begin("table", total);
  for (const Variant& variant : table_variants())
    for (std::size_t d = 0; d < data.size(); ++d)
      for (const TableCase& network : table_cases(data[d])) {
        std::string why = why_not(variant, network);
        table.rows.push_back(why.empty() ? run_table_row(data[d], network, variant, shared[d],
                                                         repeats_of(variant, settings), settings)
                                         : left_out_row(data[d], network, variant.name, std::move(why)));
      }
  for (std::size_t d = 0; d < data.size(); ++d) {
    for (TableRow& row : rival_rows(data[d], shared[d], settings)) table.rows.push_back(std::move(row));
    for (Growth& growth : measure_growth(data[d], shared[d], settings))
      table.growth.push_back(std::move(growth));
    for (LibrarySpeed& speed : library_speeds(data[d], shared[d], settings))
      table.libraries.push_back(std::move(speed));
  }
  return table;
}

}  // namespace tacit
