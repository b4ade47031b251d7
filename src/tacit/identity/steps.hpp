// What agents of a charter do together: fit, predict, evaluate. The only file of this room that calls the
// regression's mathematics; one agent's side of each, for any Channel.
#pragma once

#include <functional>
#include <memory>
#include <optional>

#include "tacit/identity/charter.hpp"
#include "tacit/identity/model.hpp"
#include "tacit/protocol/plan.hpp"
#include "tacit/regression/evaluate.hpp"
#include "tacit/regression/secure_sum.hpp"

namespace tacit {

/// Throws InputError for a kernel or fusion rule that this version does not have.
void check_model(const Charter& charter);

/// Throws InputError unless the model may have come from a fit under the charter: numbers in the box that
/// tuning keeps to, scaling that fits the columns' ranges.
void check_plausible(const FittedModel& model, const Charter& charter);

/// Throws InputError when the charter's numbers leave no room for the sums that fit and predict take, from
/// the model's start; what tuning tries later may still need more.
void check_numbers(const Charter& charter);

/// Where a model of `inputs` numeric inputs starts when nobody says.
CharterModel usual_model(std::size_t inputs, bool standardise);

/// What the charter says about the consensus.
PlanRequest consensus_request(const Charter& charter);

/// How the charter's agents add up when `originator` asks, for an agent that takes part in no sum of fewer
/// than `fewest` (each agent may want its own).
std::unique_ptr<SecureSum> make_sums(const Charter& charter, AgentId originator, std::size_t fewest);

/// Numeric columns that the charter's inputs become: a categorical one is as many zeros and ones as it has
/// levels.
std::size_t model_inputs(const Charter& charter);

/// A prediction at some points, points × targets, in the data's units.
struct PointPredictions {
  Matrix mean, latent_deviation, observed_deviation;
};

/// The consortium's score on rows that agents hold out at home, in the data's units.
struct ConsortiumScore {
  std::size_t rows = 0;
  double rmse = 0;
  double log_density = 0;
};

/// Told while a fit goes on: what is being done, in words.
using Watch = std::function<void(const std::string&)>;

// References must outlive the tasks.

/// Standardises and tunes as the charter says. What names the fit (version, fit, originator, time) is the
/// caller's.
Task<FittedModel> fit_together(Channel& net, const Charter& charter, AgentId originator, std::size_t fewest,
                               const Samples& mine, Watch watch);

/// `points` are in the data's units.
Task<PointPredictions> predict_together(Channel& net, const Charter& charter, AgentId originator,
                                        std::size_t fewest, const FittedModel& model, const Samples& mine,
                                        const Matrix& points);

/// Each agent scores its own expert on rows it holds out; they are shown to nobody. Agents without any add
/// nothing.
Task<ConsortiumScore> evaluate_together(Channel& net, const Charter& charter, AgentId originator,
                                        std::size_t fewest, const FittedModel& model, const Samples& mine,
                                        const Samples& held_out);

/// How good predictions are where the truth is known, for whoever knows it.
struct OpenScore {
  std::size_t rows = 0;
  double rmse = 0, log_density = 0;
  double coverage = 0;  ///< share of targets within the 95 % interval
};
OpenScore score_openly(const PointPredictions& predictions, const Matrix& truth);

}  // namespace tacit
