// The paper's private tuning of hyperparameters, (eqs hyper): each agent has its own estimate Θ_i = [θ_l;
// θ_s] per output, mixes it with those of its neighbours by one iteration of Protocol 1, and then takes a
// gradient step on its own likelihood.
#pragma once

#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "tacit/consortium/programme.hpp"
#include "tacit/gp/defaults.hpp"
#include "tacit/gp/expert/expert.hpp"
#include "tacit/protocol/channel/task.hpp"
#include "tacit/protocol/consensus/plan.hpp"
#include "tacit/protocol/run/run.hpp"
#include "tacit/table/rows/samples.hpp"

namespace tacit {

/// The paper writes ∇h_i; the authors' code divides it by N_i.
enum class GradientOf { likelihood, likelihood_per_row };

struct TuneOptions {
  std::size_t iterations = 30;
  double step = 0.1;  ///< η₀ of η(t) = η₀ decay^t
  double decay = 0.99;
  GradientOf gradient = GradientOf::likelihood;
  double box_low = consortium_defaults.low;  ///< Ξ: both parameters stay in [box_low, box_high]
  double box_high = consortium_defaults.high;
};

/// Throws InputError, which names the option and the remedy, for invalid options.
void check(const TuneOptions& options);

/// Estimates after each iteration, starting with [0]; one entry per output.
using TuneTrace = std::vector<std::vector<Hyperparameters>>;

/// p: how many numbers a step mixes for this many outputs.
inline std::size_t tuning_dimension(std::size_t outputs) { return 2 * outputs; }

/// The plan for tuning on a graph: T = 1 and a modulus by (hypParamsCond) for r_Θ = box_high.
ConsensusPlan make_tuning_plan(const Graph& graph, const TuneOptions& options, std::size_t outputs,
                               PlanRequest request);

/// One agent's side. `start` has one entry per output. The noise does not change. References must outlive the
/// task.
Task<TuneTrace> tune_privately(Run& net, const ConsensusPlan& plan, const TuneOptions& options,
                               const Samples& mine, std::vector<Hyperparameters> start);

/// (intUpdate) and the projection onto Ξ: returns a mixed estimate after a gradient step. Public for the test
/// of (propHyperToShow).
Hyperparameters ascend(const Hyperparameters& mixed, const Hyperparameters& before, double step,
                       const TuneOptions& options, const Samples& mine, Eigen::Index output);

/// The tuning that a study runs instead of a search.
struct PaperTuning {
  TuneOptions steps;
  double lz = 0x1p-20;
  /// The range from which each agent's θ_l and θ_s are drawn. By default, all start at those of the model.
  std::optional<std::pair<double, double>> start = {};
  std::uint64_t seed = 1;  ///< of the draw
};

/// Throws InputError if these terms cannot be tuned by the paper's steps.
void check(const Terms& terms, const PaperTuning& paper);

/// Throws InputError if the steps cannot be planned.
ConsensusPlan paper_tuning_plan(const Terms& terms, const PaperTuning& paper);

/// One agent's side of a fit with the paper's tuning: standardises by the terms with `sums`, takes the steps
/// by paper_tuning_plan(), and writes the agent's estimates to `trace`. The terms have neither search nor
/// landmarks. References must outlive the task.
Task<Fit> fit_by_paper(Run& net, const SecureSum& sums, const Terms& terms, const PaperTuning& paper,
                       const ConsensusPlan& plan, std::shared_ptr<const Crew> crew, const Samples& mine,
                       TuneTrace& trace, FitWatch watch);

}  // namespace tacit
