// The one programme that simulator, library and agents run: fit, predict, evaluate. One agent's side of each,
// over any Channel; references must outlive the tasks.
//
//   Fit found = co_await fit(net, terms, asked, mine);
//   FittedExperts experts(terms, found.fitted, mine);
//   ConsortiumPosterior p = co_await predict(net, terms, asked, found.fitted, experts.evidence(points));
#pragma once

#include <functional>
#include <optional>

#include "tacit/consortium/fitted.hpp"
#include "tacit/consortium/terms/public_facts.hpp"
#include "tacit/protocol/channel/channel.hpp"
#include "tacit/protocol/channel/task.hpp"

namespace tacit {

enum class FitStage { standardising, landmarks, tuning, pooling };

/// Told while a fit goes on; any may be empty.
struct FitWatch {
  std::function<void(FitStage)> stage = {};
  /// When landmarks are placed: the rows of all agents, and how many numbers the sum over landmarks will
  /// open. What it throws ends the fit before that sum.
  std::function<void(std::size_t, std::uint64_t)> placed = {};
  std::function<void(const ExactTuning&)> trial = {};  ///< after each
};

struct Fit {
  Fitted fitted;
  std::optional<ExactTuning> search;  ///< how the search went
  std::uint64_t opened = 0;           ///< numbers about all agents' rows together that everybody got to see
};

/// Standardises, draws landmarks, tunes and pools as the terms say. Results are the same whoever computes
/// them (crew.hpp).
Task<Fit> fit(Channel& net, const Terms& terms, Asked asked, std::shared_ptr<const Crew> mine,
              FitWatch watch = {});
/// With rows in this process.
Task<Fit> fit(Channel& net, const Terms& terms, Asked asked, const Samples& mine, FitWatch watch = {},
              unsigned threads = 1);

/// Predicts where these experts were asked. All agents must hold the same model to the bit.
Task<ConsortiumPosterior> predict(Channel& net, const Terms& terms, Asked asked, const Fitted& fitted,
                                  const LocalEvidence& mine);

/// The consortium's score on rows that agents hold out, in the data's units.
struct ConsortiumScore {
  std::size_t rows = 0;
  double rmse = 0;         ///< over all rows and targets
  double log_density = 0;  ///< the mean over rows and targets of log N(y; f̂, V + σ_ε²)
};

/// Scores what was predicted at rows that this agent holds out, which are shown to nobody. An agent without
/// any adds nothing.
Task<ConsortiumScore> evaluate(Channel& net, const Terms& terms, Asked asked, const Fitted& fitted,
                               const ConsortiumPosterior& predicted, const Matrix& truth);

}  // namespace tacit
