// The words of options about tuning.
#pragma once

#include "tacit/base/choices.hpp"
#include "tacit/lab/study/paper_tuning.hpp"

namespace tacit::cli {

enum class TuneBy { none, paper, exact };

inline Choices<TuneBy> tune_words() {
  return {{"none", TuneBy::none}, {"paper", TuneBy::paper}, {"exact", TuneBy::exact}};
}

inline Choices<GradientOf> gradient_words() {
  return {{"likelihood", GradientOf::likelihood}, {"per-row", GradientOf::likelihood_per_row}};
}

}  // namespace tacit::cli
