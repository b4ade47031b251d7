// What a careful reader of a study should not miss.
#pragma once

#include <string>
#include <vector>

#include "tacit/lab/study/study.hpp"

namespace tacit {

/// A sentence for each: cells far from all others of their column, numbers of the model that tuning left at a
/// bound, and parties that would do better alone.
std::vector<std::string> study_warnings(const Parties& parties, const StudyOptions& options,
                                        const StudyReport& report);

}  // namespace tacit
