// What everybody may know before a sum is formed, from the terms and from what a fit has shown to all:
// ranges, bounds, and how sums are formed.
#pragma once

#include <memory>

#include "tacit/consortium/fitted.hpp"
#include "tacit/consortium/predict/public_bounds.hpp"
#include "tacit/consortium/score/evaluate.hpp"
#include "tacit/consortium/standardise/standardise.hpp"
#include "tacit/consortium/terms/terms.hpp"

namespace tacit {

/// The public ranges, column by column of the model.
ColumnFacts column_facts(const Terms& terms);

TuneFacts tune_facts(const Terms& terms, const std::optional<Standardisation>& standardisation);
PublicFacts public_facts(const Terms& terms, const Fitted& fitted);
ScoreFacts score_facts(const Terms& terms, const Fitted& fitted);

PooledFacts pooled_facts(const Terms& terms, const Fitted& fitted, std::size_t landmarks);

PredictionSum prediction_sum(const Terms& terms, const Fitted& fitted);
SumShape prediction_shape(const Terms& terms, const Fitted& fitted, std::size_t points);

/// Who asks for a sum, and the fewest agents that this agent gives an answer with (each may want its own).
struct Asked {
  AgentId originator = 0;
  std::size_t fewest = 0;  ///< the terms' when they want more
};

/// How the agents form sums; predictions have their own numbers if the terms ask for them.
std::unique_ptr<SecureSum> make_sums(const Terms& terms, Asked asked);
std::unique_ptr<SecureSum> make_prediction_sums(const Terms& terms, Asked asked);

}  // namespace tacit
