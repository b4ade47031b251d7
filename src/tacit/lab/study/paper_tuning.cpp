#include "tacit/lab/study/paper_tuning.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <random>

#include "tacit/base/error.hpp"
#include "tacit/gp/expert/likelihood.hpp"
#include "tacit/protocol/consensus/consensus.hpp"

namespace tacit {
namespace {

// Θ_i(0).
OutputHyperparameters paper_start(const Terms& terms, const PaperTuning& paper, AgentId self) {
  OutputHyperparameters all(terms.targets.size(), hyperparameters_of(terms.model.start));
  if (!paper.start) return all;
  const auto [low, high] = *paper.start;
  std::mt19937_64 generator(paper.seed);  // public numbers, the same with all standard libraries
  generator.discard(2 * all.size() * self);
  const auto draw = [&, low = low, high = high] {
    return low + (high - low) * static_cast<double>(generator() >> 11) * 0x1p-53;
  };
  for (Hyperparameters& h : all) {
    h.lengthscale = draw();
    h.signal = draw();
  }
  return all;
}

}  // namespace

void check(const TuneOptions& options) {
  if (options.iterations == 0)
    throw InputError("tuning with 0 iterations does nothing; use `tune=none` instead");
  if (!(options.step > 0) || !std::isfinite(options.step))
    throw InputError(
        fmt::format("the step size η₀ (`tune_step`) must be a positive number, not {}", options.step));
  if (!(options.decay > 0) || options.decay > 1)
    throw InputError(fmt::format("the step decay (`tune_decay`) must be in (0, 1], not {}", options.decay));
  if (!(options.box_low > 0) || !(options.box_high > options.box_low) || !std::isfinite(options.box_high))
    throw InputError(fmt::format("the box Ξ (`tune_box`) needs 0 < low < high, not {},{}", options.box_low,
                                 options.box_high));
}

ConsensusPlan make_tuning_plan(const Graph& graph, const TuneOptions& options, std::size_t outputs,
                               PlanRequest request) {
  check(options);
  request.dimension = tuning_dimension(outputs);
  request.value_bound = options.box_high;
  request.iterations = 1;
  // One round cannot be accelerated, and noise would not cancel within it.
  request.hardening.acceleration = Acceleration::none;
  request.hardening.blinding = 0;
  return make_plan(graph, request);
}

Hyperparameters ascend(const Hyperparameters& mixed, const Hyperparameters& before, double step,
                       const TuneOptions& options, const Samples& mine, Eigen::Index output) {
  const Likelihood h = log_marginal_likelihood(mine.inputs, mine.outputs.col(output), before);
  const double scale =
      options.gradient == GradientOf::likelihood ? step : step / static_cast<double>(mine.inputs.rows());
  auto moved = [&](double from, double slope) {
    if (!std::isfinite(slope))
      throw Error(
          fmt::format("the gradient of the likelihood is not finite at θ_l = {}, θ_s = {}; narrow `tune_box`",
                      before.lengthscale, before.signal));
    return std::clamp(from + scale * slope, options.box_low, options.box_high);
  };
  return {moved(mixed.lengthscale, h.slopes[0] / before.lengthscale),
          moved(mixed.signal, h.slopes[1] / before.signal), before.noise};
}

Task<TuneTrace> tune_privately(Run& net, const ConsensusPlan& plan, const TuneOptions& options,
                               const Samples& mine, std::vector<Hyperparameters> start) {
  TuneTrace trace{std::move(start)};
  double step = options.step;
  for (std::size_t t = 0; t < options.iterations; ++t, step *= options.decay) {
    Values estimate;
    for (const Hyperparameters& h : trace.back()) {
      estimate.push_back(h.lengthscale);
      estimate.push_back(h.signal);
    }
    const Values mixed = co_await secure_average(net, plan, std::move(estimate));
    std::vector<Hyperparameters> next;
    for (std::size_t k = 0; k < trace.back().size(); ++k) {
      const Hyperparameters& before = trace.back()[k];
      next.push_back(ascend({mixed[2 * k], mixed[2 * k + 1], before.noise}, before, step, options, mine,
                            static_cast<Eigen::Index>(k)));
    }
    trace.push_back(std::move(next));
  }
  co_return trace;
}

void check(const Terms& terms, const PaperTuning& paper) {
  if (terms.tuning.search)
    throw InputError("a model is tuned by a search or by the paper's steps; choose one of them");
  if (terms.protocol.sums != SumProtocol::consensus)
    throw InputError(fmt::format(
        "`tune=paper` needs the consensus and cannot be combined with `protocol={}`; use `tune=exact`",
        to_string(terms.protocol.sums)));
  check(paper.steps);
  if (!(paper.lz > 0 && paper.lz < paper.steps.box_low))
    throw InputError(fmt::format(
        "L_z of the tuning (`tune_lz`) must be positive and below the lower limit {:g} of the box, not {:g}",
        paper.steps.box_low, paper.lz));
  const auto inside = [&](double value) {
    if (!(value >= paper.steps.box_low && value <= paper.steps.box_high))
      throw InputError(fmt::format(
          "tuning would start at {:g}, outside the box [{:g}, {:g}]; move the start or widen `tune_box`",
          value, paper.steps.box_low, paper.steps.box_high));
  };
  const Hyperparameters start = hyperparameters_of(terms.model.start);
  inside(paper.start ? paper.start->first : start.lengthscale);
  inside(paper.start ? paper.start->second : start.signal);
}

ConsensusPlan paper_tuning_plan(const Terms& terms, const PaperTuning& paper) {
  PlanRequest request = terms.protocol.consensus;
  request.modulus_bits.reset();  // the request's modulus is that of the prediction
  request.lz = paper.lz;
  return make_tuning_plan(terms.graph, paper.steps, terms.targets.size(), request);
}

Task<Fit> fit_by_paper(Run& net, const SecureSum& sums, const Terms& terms, const PaperTuning& paper,
                       const ConsensusPlan& plan, std::shared_ptr<const Crew> crew, const Samples& mine,
                       TuneTrace& trace, FitWatch watch) {
  Fit result = co_await fit_privately(net, sums, terms, 0, std::move(crew), watch);
  if (watch.stage) watch.stage(FitStage::tuning);
  const Samples rows = result.fitted.standard(mine);
  trace = co_await tune_privately(net, plan, paper.steps, rows, paper_start(terms, paper, net.self()));
  result.fitted.priors = priors_of(trace.back());
  result.opened = net.opened();
  co_return result;
}

}  // namespace tacit
