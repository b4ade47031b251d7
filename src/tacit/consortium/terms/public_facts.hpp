// Public facts before a sum, derived from the terms and from a fit's public results: ranges, bounds, and how
// sums are computed.
#pragma once

#include <memory>

#include "tacit/consortium/fitted.hpp"
#include "tacit/consortium/predict/public_bounds.hpp"
#include "tacit/consortium/score/evaluate.hpp"
#include "tacit/consortium/standardise/standardise.hpp"
#include "tacit/consortium/terms/terms.hpp"

namespace tacit {

/// Returns the public ranges of the model's columns.
ColumnFacts column_facts(const Terms& terms);

TuneFacts tune_facts(const Terms& terms, const std::optional<Standardisation>& standardisation);
PublicFacts public_facts(const Terms& terms, const Fitted& fitted);
ScoreFacts score_facts(const Terms& terms, const Fitted& fitted);

PooledFacts pooled_facts(const Terms& terms, const Fitted& fitted, std::size_t landmarks);

PredictionSum prediction_sum(const Terms& terms, const Fitted& fitted);
SumShape prediction_shape(const Terms& terms, const Fitted& fitted, std::size_t points);

/// The asker of a sum, and the fewest agents with which this agent takes part (a setting of each agent).
struct Asked {
  AgentId originator = 0;
  std::size_t fewest = 0;  ///< the terms' value is used if it is larger
};

/// Return how the agents compute sums. Predictions have separate parameters if the terms set them.
std::unique_ptr<SecureSum> make_sums(const Terms& terms, Asked asked);
std::unique_ptr<SecureSum> make_prediction_sums(const Terms& terms, Asked asked);

}  // namespace tacit
