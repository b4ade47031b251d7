// JSON for programs: one object on standard output.
#pragma once

#include <nlohmann/json.hpp>

#include "tacit/gp/matrix.hpp"
#include "tacit/protocol/plan.hpp"
#include "tacit/simulation/study.hpp"

namespace tacit::cli {

using Json = nlohmann::ordered_json;

/// As programs get it; what is no UTF-8, such as the name of a row, is replaced.
std::string text_of(const Json& json);

/// JSON has no infinity and no NaN: they become null.
Json number(double value);

/// One object per point, as simulate prints predictions: {"mean": [...], "variance": [...]} over outputs.
Json predictions_json(const Prediction& prediction, const Vector& added_variance);

Json privacy_json(const Privacy& privacy);
Json plan_json(const ConsensusPlan& plan);
/// The same names; null for what only iterations have.
Json exact_plan_json(const ExactPlan& plan);

}  // namespace tacit::cli
