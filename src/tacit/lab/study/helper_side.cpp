#include "tacit/lab/study/helper_side.hpp"

#include "tacit/consortium/terms/public_facts.hpp"
#include "tacit/lab/mask_helpers/helped_plan.hpp"

namespace tacit {
namespace {

// Helpers make masks only for the consensus.
ConsensusPlan plan_of(const SecureSum& sums, const SumShape& shape) {
  return std::get<ConsensusPlan>(sums.plan(shape));
}

}  // namespace

Task<std::size_t> help_fit(Channel& net, const Terms& terms, const PaperTuning* paper) {
  std::size_t helped = 0;
  if (terms.model.standardise) {
    const auto sums = make_sums(terms, {});
    for (const SumShape& shape : standardise_sums(column_facts(terms))) {
      const ConsensusPlan plan = plan_of(*sums, shape);
      helped += co_await help(net, plan, 1);
    }
  }
  if (paper) {
    const ConsensusPlan plan = paper_tuning_plan(terms, *paper);
    helped += co_await help(net, plan, paper->steps.iterations);
  }
  co_return helped;
}

Task<std::size_t> help_predict(Channel& net, const Terms& terms, const Fitted& fitted, std::size_t points) {
  const ConsensusPlan plan =
      plan_of(*make_prediction_sums(terms, {}), prediction_shape(terms, fitted, points));
  co_return co_await help(net, plan, 1);
}

Task<std::size_t> help_evaluate(Channel& net, const Terms& terms, const Fitted& fitted) {
  const ConsensusPlan plan = plan_of(*make_sums(terms, {}), score_sum(score_facts(terms, fitted)));
  co_return co_await help(net, plan, 1);
}

}  // namespace tacit
