#include "tacit/consortium/tune/paper_tuning.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "tacit/base/error.hpp"
#include "tacit/gp/expert/likelihood.hpp"
#include "tacit/protocol/consensus/consensus.hpp"

namespace tacit {

void check(const TuneOptions& options) {
  if (options.iterations == 0)
    throw InputError("tuning with 0 iterations does nothing; use --tune none instead");
  if (!(options.step > 0) || !std::isfinite(options.step))
    throw InputError(
        fmt::format("the step size η₀ (--tune-step) must be a positive number, not {}", options.step));
  if (!(options.decay > 0) || options.decay > 1)
    throw InputError(fmt::format("the step decay (--tune-decay) must lie in (0, 1], not {}", options.decay));
  if (!(options.box_low > 0) || !(options.box_high > options.box_low) || !std::isfinite(options.box_high))
    throw InputError(fmt::format("the box Ξ (--tune-box) needs 0 < low < high, not {},{}", options.box_low,
                                 options.box_high));
}

ConsensusPlan make_tuning_plan(const HelpedGraph& graph, const TuneOptions& options, std::size_t outputs,
                               PlanRequest request) {
  check(options);
  request.dimension = tuning_dimension(outputs);
  request.value_bound = options.box_high;
  request.iterations = 1;
  // One round cannot be accelerated, and noise would not be gone after it.
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
      throw Error(fmt::format("the likelihood's slope is not finite at θ_l = {}, θ_s = {}; narrow --tune-box",
                              before.lengthscale, before.signal));
    return std::clamp(from + scale * slope, options.box_low, options.box_high);
  };
  return {moved(mixed.lengthscale, h.slopes[0] / before.lengthscale),
          moved(mixed.signal, h.slopes[1] / before.signal), before.noise};
}

Task<TuneTrace> tune_privately(Channel& net, const ConsensusPlan& plan, const TuneOptions& options,
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

}  // namespace tacit
