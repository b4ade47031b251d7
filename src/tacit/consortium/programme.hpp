// The programme that the simulator, the library and agents run: fit, predict, evaluate. Each function is one
// agent's side, over any run. References must outlive the tasks.
//
//   Fit found = co_await fit_privately(net, terms, asked, mine);
//   FittedExperts experts(terms, found.fitted, mine);
//   Prediction p = co_await predict(net, terms, asked, found.fitted, experts.evidence(points));
#pragma once

#include <functional>
#include <optional>

#include "tacit/consortium/fitted.hpp"
#include "tacit/consortium/terms/public_facts.hpp"
#include "tacit/protocol/channel/task.hpp"
#include "tacit/protocol/run/run.hpp"

namespace tacit {

enum class FitStage { standardising, landmarks, tuning, pooling };

/// Functions called during a fit; each may be empty.
struct FitWatch {
  std::function<void(FitStage)> stage = {};
  /// Called when landmarks are placed, with the number of rows of all agents and the number of values that
  /// the sum over landmarks will open. An exception ends the fit before that sum.
  std::function<void(std::size_t, std::uint64_t)> placed = {};
  std::function<void(const ExactTuning&)> trial = {};  ///< called after each trial
};

struct Fit {
  Fitted fitted;
  std::optional<ExactTuning> search;  ///< the record of the search
  std::uint64_t opened = 0;  ///< numbers about all agents' rows together that were opened to all agents
};

// Each function takes the sums of the terms (public_facts.hpp), which agents in one process can share, so
// that every sum is planned once. Or it takes the asker, and makes the sums for this agent alone.

/// Standardises, draws landmarks, tunes and pools according to the terms. The results do not depend on where
/// they are computed (crew.hpp).
Task<Fit> fit_privately(Run& net, const SecureSum& sums, const Terms& terms, AgentId originator,
                        std::shared_ptr<const Crew> mine, FitWatch watch = {});
Task<Fit> fit_privately(Run& net, const Terms& terms, Asked asked, std::shared_ptr<const Crew> mine,
                        FitWatch watch = {});
/// The same for rows in this process.
Task<Fit> fit_privately(Run& net, const Terms& terms, Asked asked, const Samples& mine, FitWatch watch = {},
                        unsigned threads = 1);

/// Predicts at the points of this evidence. All agents must hold the same model to the bit. `sums` are those
/// of make_prediction_sums.
Task<Prediction> predict(Run& net, const SecureSum& sums, const Terms& terms, const Fitted& fitted,
                         const LocalEvidence& mine);
Task<Prediction> predict(Run& net, const Terms& terms, Asked asked, const Fitted& fitted,
                         const LocalEvidence& mine);

/// The consortium's score on held-out rows, in the data's units.
struct ConsortiumScore {
  std::size_t rows = 0;
  double rmse = 0;         ///< over all rows and targets
  double log_density = 0;  ///< the mean over rows and targets of log N(y; f̂, V + σ_ε²)
};

/// Scores predictions in the data's units at this agent's held-out rows, which stay private. An agent without
/// such rows adds nothing.
Task<ConsortiumScore> evaluate(Run& net, const SecureSum& sums, const Terms& terms, const Fitted& fitted,
                               const Prediction& predicted, const Matrix& truth);
Task<ConsortiumScore> evaluate(Run& net, const Terms& terms, Asked asked, const Fitted& fitted,
                               const Prediction& predicted, const Matrix& truth);

}  // namespace tacit
