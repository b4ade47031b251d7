// Warnings about the data and the result of a study.
#pragma once

#include <string>
#include <vector>

#include "tacit/lab/study/study.hpp"

namespace tacit {

/// Returns one sentence for each warning: constant targets, cells far from all others of their column,
/// numbers of the model that tuning left at a limit, landmarks above the ceiling, and parties with smaller
/// errors alone.
std::vector<std::string> study_warnings(const Parties& parties, const StudyOptions& options,
                                        const StudyReport& report);

}  // namespace tacit
