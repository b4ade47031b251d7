#include "tacit/consortium/protect/protected_fit.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "tacit/base/error.hpp"
#include "tacit/base/stop.hpp"

namespace tacit {
namespace {

// Shares of ρ of a first fit.
constexpr double histogram_share = 0.075, correlation_share = 0.10, tuning_share = 0.275, rounds_share = 0.55;
constexpr double count_rho = 0.05, most_count_share = 0.25;  // of the share it is taken from
constexpr std::size_t usual_rounds = 19, few_rounds = 10, refit_rounds = 5;
constexpr double least_rho_for_usual_rounds = 1;

Task<double> count_keys(ProtectedRun& run, const OwnRows& mine, double rho) {
  const Opening opening{"rows", 1, 1, 1, rho};
  const KeyTerms terms{mine.keys(), [](std::size_t, std::span<double> term) { term[0] = 1; }};
  const OpenedSum opened = co_await run.sum(opening, terms);
  // A fit needs some rows; with fewer, noise is all there is. A member may claim any number.
  const auto agents = static_cast<double>(run.facts().agents);
  const double most = std::max(2 * agents, agents * static_cast<double>(run.facts().most_rows));
  co_return std::clamp(std::round(opened.total[0]), 2 * agents, most);
}

void check_rho(double rho) {
  if (!(rho > 0) || !std::isfinite(rho))
    throw InputError(fmt::format("the ρ of a fit must be a positive number, not {:g}", rho));
}

std::vector<double> equal_rounds(double rho, std::size_t rounds) {
  return std::vector<double>(rounds, rho / static_cast<double>(rounds));
}

// The charges of this fit: a run may have had others before.
std::vector<Charge> charges_since(const ProtectedRun& run, std::size_t first) {
  return {run.charges().begin() + static_cast<std::ptrdiff_t>(first), run.charges().end()};
}

}  // namespace

double ProtectedModel::spent() const {
  double rho = 0;
  for (const Charge& one : charges) rho += one.rho;
  return rho;
}

std::shared_ptr<const Basis> make_basis(const Prior& prior, const Copula& copula, double rows,
                                        const BasisOptions& options) {
  return std::make_shared<const Basis>(prior, copula, rows, options);
}

Task<ProtectedFit> protected_fit(ProtectedRun& run, const ProtectedSettings& settings, const OwnRows& mine,
                                 ProtectedHooks hooks) {
  check_rho(settings.rho);
  if (settings.columns.size() < 2 || static_cast<Index>(settings.columns.size()) != mine.dimensions() + 1)
    throw InputError(fmt::format("rows have {} inputs and a target, but there are {} public columns",
                                 mine.dimensions(), settings.columns.size()));
  const std::size_t first_charge = run.charges().size();
  double rounds_rho = rounds_share * settings.rho, tuning_rho = tuning_share * settings.rho;
  const double counting = std::min(count_rho, most_count_share * tuning_rho);
  tuning_rho -= counting;
  ProtectedFit fit;
  ProtectedModel& model = fit.model;
  model.rows = model.basis_rows = co_await count_keys(run, mine, counting);

  model.copula.scales =
      co_await open_scales(run, settings.columns, mine, model.rows, histogram_share * settings.rho);
  if (model.copula.scales.bins == 0) rounds_rho += histogram_share * settings.rho;
  const Scales scales = model.copula.scales;
  model.copula = co_await open_copula(run, scales, mine, model.rows, correlation_share * settings.rho);
  if (scales.inputs() < 2) rounds_rho += correlation_share * settings.rho;

  const TuningPlan tuning = plan_tuning(run, scales.inputs(), model.rows, tuning_rho);
  model.tuned = tuning.useful;
  model.prior = public_prior(scales.inputs(), false);
  if (tuning.useful)
    model.prior = co_await tune_protected(run, scales, mine, tuning, tuning_rho);
  else
    rounds_rho += tuning_rho;

  model.basis_options = hooks.basis;
  model.basis_options.landmarks = settings.landmarks.value_or(usual_landmarks(model.rows));
  model.basis_options.seed = settings.seed;
  fit.basis = hooks.make(model.prior, model.copula, model.rows, model.basis_options);
  leave_if_stopped();
  const BasisRows rows(*fit.basis, scales, mine);
  const std::size_t rounds =
      hooks.rounds.value_or(settings.rho >= least_rho_for_usual_rounds ? usual_rounds : few_rounds);
  const RoundsPlan plan{equal_rounds(rounds_rho, rounds), model.rows, rounds_rho, hooks.clip};
  Rounds done = co_await run_rounds(run, *fit.basis, fit.basis->eigenvalues(), mine, rows, plan);
  model.rounds = std::move(done.state);
  fit.own = std::move(done.own);
  model.charges = charges_since(run, first_charge);
  co_return fit;
}

Task<ProtectedFit> protected_refit(ProtectedRun& run, const ProtectedFit& before, double rho,
                                   const OwnRows& mine) {
  check_rho(rho);
  const std::size_t first_charge = run.charges().size();
  const double counting = std::min(count_rho, most_count_share * rho);
  ProtectedFit fit = before;
  ProtectedModel& model = fit.model;
  model.rows = co_await count_keys(run, mine, counting);
  const BasisRows rows(*fit.basis, model.copula.scales, mine);
  const RoundsPlan plan{equal_rounds(rho - counting, refit_rounds), model.rows, 0};
  const Rounds earlier{before.model.rounds, before.own};
  const Vector eigenvalues = eigenvalues_for(*fit.basis, model.basis_rows, model.rows);
  Rounds done = co_await run_rounds(run, *fit.basis, eigenvalues, mine, rows, plan, &earlier,
                                    before.model.rows / model.rows);
  model.rounds = std::move(done.state);
  fit.own = std::move(done.own);
  model.charges = charges_since(run, first_charge);
  co_return fit;
}

HomeModel at_home(const ProtectedFit& fit, const OwnRows& mine, std::size_t agents) {
  const ProtectedModel& model = fit.model;
  const double share = std::clamp(static_cast<double>(mine.keys()) / model.rows, 0.0, 1.0);
  const Vector eigenvalues = eigenvalues_for(*fit.basis, model.basis_rows, model.rows);
  return HomeModel(*fit.basis, BasisRows(*fit.basis, model.copula.scales, mine),
                   OthersPosterior(others_information({model.rounds, fit.own}, eigenvalues, agents, share)));
}

Prediction answer_at_home(const ProtectedFit& fit, const HomeModel& home, const Matrix& points) {
  const Scales& scales = fit.model.copula.scales;
  if (points.cols() != scales.inputs())
    throw InputError(
        fmt::format("points have {} columns, but the model takes {} inputs", points.cols(), scales.inputs()));
  const HomeModel::Answer answer = home.answer(scales.standard_inputs(points.transpose()));
  const double spread = scales.target().spread;
  Prediction result;
  result.mean = (answer.mean.array() * spread + scales.target().centre).matrix();
  result.latent_variance = answer.latent * (spread * spread);
  result.observed_variance = answer.variance * (spread * spread);
  return result;
}

}  // namespace tacit
