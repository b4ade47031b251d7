// The plan of a study's prediction, and what it reveals, from public facts.
#include <fmt/format.h>

#include <cmath>

#include "tacit/base/error.hpp"
#include "tacit/lab/audit/helped_audit.hpp"
#include "tacit/lab/study/study_run.hpp"

namespace tacit {

SumPlan plan_of_prediction(const StudyRun& run, const Fitted& fitted, std::size_t points) {
  return run.sums.predictions->plan(prediction_shape(run.terms.predict, fitted, points));
}

PredictionPlan plan_prediction(const StudyRun& run, const Fitted& fitted) {
  const Terms& terms = run.terms.predict;
  const PublicFacts facts = public_facts(terms, fitted);
  const auto points = static_cast<std::size_t>(run.parties.test.inputs.rows());
  PredictionPlan planned{.sums = plan_of_prediction(run, fitted, points), .bounds = public_bounds(facts)};
  double error = 0, error_at_t = 0;
  if (const ExactPlan* exact = planned.exact()) {
    error = error_at_t = exact->error();
  } else {
    error = planned.consensus()->quantiser_error();
    error_at_t = planned.consensus()->error();
  }
  const PublicBounds& bounds = planned.bounds;
  const double variance = bounds.variance_high;
  if (!precision_suffices(error, variance)) {
    const double lz = prediction_shape(terms, fitted, points).range.unit;
    throw InputError(
        fmt::format("L_z = {:g} is too coarse: the precision condition needs it below {:g} (`lz`)", lz,
                    lz / error / variance));
  }
  // Sums over residuals are relative to the prior variance that landmarks leave, which is less than this.
  const double unit = fitted.pooled ? facts.prior_high : 1;
  // gPoE multiplies 1/P by the number of experts.
  const double tempered = terms.model.fusion == Fusion::gpoe ? bounds.experts : 1;
  planned.gamma = unit * tempered * gamma_bound(error_at_t, variance);
  planned.beta = std::sqrt(unit) * beta_bound(error_at_t, variance, bounds.mean / std::sqrt(unit) / variance);
  return planned;
}

Privacy assess_privacy(const StudyRun& run) {
  if (const ExactPlan* exact = run.report.plan.exact()) return exact_privacy(*exact, run.terms.predict.graph);
  const ConsensusPlan& plan = *run.report.plan.consensus();
  PrivacyQuestion question{plan.hardening, plan.iterations, plan.dimension};
  if (run.options.paper_tuning) question.hardening.blinding = 0;  // the paper's steps are not blinded
  return consensus_privacy(run.graph, question);
}

}  // namespace tacit
