#include "tacit/lab/study/helper_side.hpp"

#include "tacit/consortium/terms/public_facts.hpp"
#include "tacit/lab/mask_helpers/helped_plan.hpp"

namespace tacit {

FitPlans plan_fit(const SecureSum& sums, const Terms& terms, const PaperTuning* paper) {
  FitPlans plans;
  if (terms.model.standardise)
    for (const SumShape& shape : standardise_sums(column_facts(terms)))
      plans.standardising.push_back(sums.plan(shape));
  if (paper) {
    plans.tuning = paper_tuning_plan(terms, *paper);
    plans.tuning_steps = paper->steps.iterations;
  }
  return plans;
}

Task<std::size_t> help_fit(Run& net, const FitPlans& plans) {
  std::size_t helped = 0;
  for (const SumPlan& plan : plans.standardising)
    helped += co_await help(net, std::get<ConsensusPlan>(plan), 1);
  if (plans.tuning) helped += co_await help(net, *plans.tuning, plans.tuning_steps);
  co_return helped;
}

}  // namespace tacit
