// A mask helper's side of the sums of a study: it makes masks and learns no value.
#pragma once

#include <optional>
#include <vector>

#include "tacit/lab/study/paper_tuning.hpp"

namespace tacit {

/// The plans of the sums of a fit that are known before it starts.
struct FitPlans {
  std::vector<SumPlan> standardising;
  std::optional<ConsensusPlan> tuning;  ///< of one step of the paper's tuning
  std::size_t tuning_steps = 0;
};

/// `sums` are those of make_sums.
FitPlans plan_fit(const SecureSum& sums, const Terms& terms, const PaperTuning* paper);

/// Takes part in all sums of a fit by the consensus. Returns their number. References must outlive the task.
Task<std::size_t> help_fit(Run& net, const FitPlans& plans);

}  // namespace tacit
