#include "tacit/cli/lab/result_json.hpp"

#include "tacit/cli/lab/plan_words.hpp"

namespace tacit::cli {

Json predictions_json(const Prediction& prediction, const Matrix Prediction::*part) {
  Json all = Json::array();
  for (Index point = 0; point < prediction.mean.rows(); ++point) {
    Json mean = Json::array(), variance = Json::array();
    for (Index output = 0; output < prediction.mean.cols(); ++output) {
      mean.push_back(number(prediction.mean(point, output)));
      variance.push_back(number((prediction.*part)(point, output)));
    }
    all.push_back({{"mean", std::move(mean)}, {"variance", std::move(variance)}});
  }
  return all;
}

Json privacy_json(const Privacy& privacy) {
  const auto exposure = [](const Weakest& weakest) {
    if (!weakest.exposure) return Json(nullptr);
    return Json{{"coalition", weakest.exposure->coalition}, {"learns", weakest.exposure->learns}};
  };
  return {{"collusion", privacy.collusion},
          {"collusion_paper", privacy.collusion_paper},
          {"withstands_one_round", privacy.one_round.withstands},
          {"withstands_all_rounds", privacy.all_rounds.withstands},
          {"search_complete", privacy.one_round.complete && privacy.all_rounds.complete},
          {"weakest", exposure(privacy.one_round)},
          {"weakest_all_rounds", exposure(privacy.all_rounds)},
          {"trajectory_safe", privacy.trajectory_safe},
          {"blinding_odds", privacy.blinded ? Json(privacy.odds) : Json(nullptr)},
          {"sentences", privacy_sentences(privacy)}};
}

Json plan_json(const ConsensusPlan& plan) {
  return {{"lz", plan.lz},
          {"lw", plan.lw()},
          {"modulus_bits", plan.modulus_bits},
          {"iterations", plan.iterations},
          {"lambda", plan.lambda},
          {"dimension", plan.dimension},
          {"value_bound", plan.value_bound},
          {"weight_denominator", plan.denominator},
          {"exact_weights", plan.exact_weights},
          {"modulus_rule", plan.rule == ModulusRule::paper ? "paper" : "range"},
          {"required_bits", plan.required_bits},
          {"masks", plan.hardening.masks == MaskSource::seeded ? "seeded" : "shares"},
          {"acceleration", plan.hardening.acceleration == Acceleration::chebyshev ? "chebyshev" : "none"},
          {"blinding", plan.hardening.blinding},
          {"state_bound", number(plan.state_bound)},
          {"guard_bits", plan.guard_bits},
          {"transient", number(plan.transient())},
          {"error", number(plan.error())}};
}

Json exact_plan_json(const ExactPlan& plan) {
  return {{"lz", plan.unit},
          {"lw", nullptr},
          {"modulus_bits", plan.modulus_bits},
          {"iterations", nullptr},
          {"lambda", nullptr},
          {"dimension", plan.dimension},
          {"value_bound", plan.value_bound},
          {"error", plan.error()},
          {"originator", plan.originator},
          {"fewest", plan.fewest},
          {"mask_degree", plan.mask_degree ? plan.mask_degree : plan.agents - 1}};
}

}  // namespace tacit::cli
