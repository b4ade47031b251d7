// JSON for programs: one object on standard output.
#pragma once

#include "tacit/answers/json.hpp"
#include "tacit/gp/matrix.hpp"
#include "tacit/lab/study/study.hpp"
#include "tacit/protocol/consensus/plan.hpp"

namespace tacit::cli {

using tacit::Json;

/// One object per point, as simulate prints predictions: {"mean": [...], "variance": [...]} over outputs. The
/// variance is this part of the prediction, latent or observed.
Json predictions_json(const Prediction& prediction, const Matrix Prediction::*part);

Json privacy_json(const Privacy& privacy);
Json plan_json(const ConsensusPlan& plan);
/// The same keys; null for those that only the consensus has.
Json exact_plan_json(const ExactPlan& plan);

}  // namespace tacit::cli
