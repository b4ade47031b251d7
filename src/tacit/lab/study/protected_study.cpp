#include "tacit/lab/study/protected_study.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <mutex>
#include <numeric>

#include "tacit/base/error.hpp"
#include "tacit/base/system/parallel.hpp"
#include "tacit/consortium/protect/protected_fit.hpp"
#include "tacit/lab/study/data_terms.hpp"
#include "tacit/lab/study/stopwatch.hpp"
#include "tacit/secrecy/privacy_loss.hpp"

namespace tacit {
namespace {

// A simulation protects nothing, so the key of the hash of rows may come from the seed.
OwnRows keyed_rows(const Samples& rows, std::uint64_t seed, std::size_t agent) {
  std::vector<std::uint64_t> slots(static_cast<std::size_t>(rows.inputs.rows()));
  std::iota(slots.begin(), slots.end(), std::uint64_t{0});
  std::array<std::byte, Prg::key_bytes> secret;
  Prg::from_seed(seed, "slots of rows", agent).fill(secret);
  return OwnRows(rows, slots, secret, slots.size());
}

// A categorical column gives one input for each level.
std::vector<PublicColumn> public_columns(const Parties& parties) {
  std::vector<PublicColumn> all;
  for (const auto& columns : {named_input_columns(parties), named_target_columns(parties)})
    for (const Column& column : columns)
      if (column.categorical())
        all.insert(all.end(), column.levels.size(), {.low = 0, .high = 1});
      else
        all.push_back({.low = column.low, .high = column.high > column.low ? column.high : column.low + 1});
  return all;
}

// The basis follows from public numbers, so one computation serves all agents of this process.
BasisMaker made_once() {
  struct Made {
    std::mutex guard;
    std::shared_ptr<const Basis> basis;
  };
  return [made = std::make_shared<Made>()](const Prior& prior, const Copula& copula, double rows,
                                           const BasisOptions& options) {
    const std::lock_guard lock(made->guard);
    if (!made->basis) made->basis = make_basis(prior, copula, rows, options);
    return made->basis;
  };
}

// One agent's side.
Task<ProtectedFit> one_fit(Run& net, const ProtectedFacts& facts, const ProtectedSettings& settings,
                           const OwnRows& mine, const ProtectedHooks& hooks) {
  BoundedRun run(net, facts);
  co_return co_await protected_fit(run, settings, mine, hooks);
}

void report_model(ProtectedReport& report, const ProtectedModel& model, std::size_t most_rows) {
  report.charges = model.charges;
  report.rho = model.spent();
  // δ is at most a tenth of one row of all.
  report.delta = std::pow(10, std::floor(std::log10(0.1 / static_cast<double>(most_rows))));
  report.epsilon = epsilon_of(report.rho, report.delta);
  report.rows = model.rows;
  report.tuned = model.tuned;
  report.prior = model.prior;
  report.directions = model.rounds.directions.size();
}

}  // namespace

std::size_t usual_colluding(std::size_t agents) {
  return std::min(std::max<std::size_t>(1, agents / 3), std::max<std::size_t>(agents, 3) - 2);
}

Quality ProtectedReport::mean_at_home() const {
  Quality mean;
  for (const Quality& one : accuracy) {
    const double share = 1 / static_cast<double>(accuracy.size());
    mean.rmse += share * one.rmse;
    mean.coverage += share * one.coverage;
    mean.log_density += share * one.log_density;
  }
  return mean;
}

void check_protected(const Parties& parties, const ProtectOptions& options) {
  if (parties.count() < 3)
    throw InputError(fmt::format("a fit with protected rows needs at least 3 agents, not {}; omit `protect`",
                                 parties.count()));
  if (parties.columns.targets.size() != 1)
    throw InputError(
        fmt::format("a fit with protected rows takes one target, not {}; give one, or omit `protect`",
                    parties.columns.targets.size()));
  if (!parties.elsewhere.readers.empty())
    throw InputError(
        "a fit with protected rows needs the rows in memory; omit `protect`, `stream` or mpirun");
  const std::size_t most = parties.count() - 2;
  if (options.colluding && (*options.colluding < 1 || *options.colluding > most))
    throw InputError(fmt::format("`colluding` must be 1 to {} for {} agents, not {}", most, parties.count(),
                                 *options.colluding));
  if (!(options.rho > 0) || !std::isfinite(options.rho))
    throw InputError(fmt::format("`rho` must be a positive number, not {:g}", options.rho));
}

ProtectedReport run_protected_study(const Parties& parties, const Graph& graph, const ProtectOptions& options,
                                    const SimulatorOptions& simulation, Progress& progress) {
  const Stopwatch watch;
  check_protected(parties, options);
  const std::size_t agents = parties.count();
  ProtectedReport report;
  report.colluding = options.colluding.value_or(usual_colluding(agents));
  std::vector<OwnRows> rows;
  for (std::size_t i = 0; i < agents; ++i) rows.push_back(keyed_rows(parties.agents[i], simulation.seed, i));

  const ProtectedFacts facts{
      .agents = agents, .colluding = report.colluding, .most_rows = parties.most_rows()};
  const ProtectedSettings settings{
      .columns = public_columns(parties), .rho = options.rho, .seed = simulation.seed};
  const ProtectedHooks hooks{.make = made_once()};
  progress.begin("fit with protected rows", 0);
  Simulator simulator(graph, simulation);
  const std::vector<ProtectedFit> fits = simulator.run<ProtectedFit>(
      [&](Run& net) { return one_fit(net, facts, settings, rows[net.self()], hooks); });
  report_model(report, fits[0].model, agents * parties.most_rows());
  report.cost = simulator.cost();

  progress.begin("answers at home, rows protected", agents);
  report.at_home.resize(agents);
  report.chosen.resize(agents);
  parallel_for(simulation.threads, agents, [&](std::size_t i) {
    const HomeModel home = at_home(fits[i], rows[i], agents);
    report.chosen[i] = home.chosen();
    report.at_home[i] = answer_at_home(fits[i], home, parties.test.inputs);
    ++progress.done;
  });
  if (parties.test.targets_known)
    for (const Prediction& one : report.at_home)
      report.accuracy.push_back(quality(one.mean, one.observed_variance, parties.test.outputs));
  report.seconds = watch.seconds();
  return report;
}

}  // namespace tacit
