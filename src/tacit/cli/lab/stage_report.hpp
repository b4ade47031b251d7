// How `tacit simulate` reports what agents did together besides predicting: standardising, tuning, scoring.
#pragma once

#include <string>

#include "tacit/cli/text/json.hpp"
#include "tacit/lab/study/study.hpp"

namespace tacit::cli {

/// The kernel's numbers by name and the noise; for a plain se also as the paper calls them. `inputs`, if any,
/// are the columns to sort by what each has a number of its own for.
Json prior_json(const Prior& prior, const std::vector<std::string>& inputs = {});

Json accuracy_json(const Accuracy& accuracy, const std::vector<std::string>& targets);

/// Null for a step that was not asked for.
Json standardise_json(const StudyReport& report);
Json tuning_json(const StudyReport& report);

Json holdout_json(const ConsortiumScore& score, const HoldOut& asked);

/// The units of what is reported.
Json units_json(const StudyReport& report);

/// A line for each of the steps that were taken.
std::string model_text(const StudyReport& report, const StudyOptions& options, const Parties& parties);
std::string accuracy_text(const Accuracy& accuracy, const StudyOptions& options, bool landmarks,
                          const std::vector<std::string>& targets);

Json landmarks_json(const StudyReport& report);
std::string landmarks_text(const StudyReport& report, const StudyOptions& options);
std::string standardise_text(const Standardisation& standardisation, double spread);
std::string tuning_text(const StudyReport& report);
std::string holdout_text(const ConsortiumScore& score, const HoldOut& asked);

}  // namespace tacit::cli
