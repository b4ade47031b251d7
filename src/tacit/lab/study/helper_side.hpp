// A mask helper's side of a consortium's fit, prediction and evaluation (lab/mask_helpers). Each function
// returns the number of sums in which the helper took part.
#pragma once

#include "tacit/consortium/programme.hpp"
#include "tacit/lab/study/paper_tuning.hpp"

namespace tacit {

/// `paper` is null without the paper's tuning.
Task<std::size_t> help_fit(Channel& net, const Terms& terms, const PaperTuning* paper);
Task<std::size_t> help_predict(Channel& net, const Terms& terms, const Fitted& fitted, std::size_t points);
Task<std::size_t> help_evaluate(Channel& net, const Terms& terms, const Fitted& fitted);

}  // namespace tacit
