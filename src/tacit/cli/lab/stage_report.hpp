// The parts of `tacit simulate`'s report about standardising, tuning, landmarks and scoring.
#pragma once

#include <string>

#include "tacit/cli/lab/result_json.hpp"
#include "tacit/lab/study/study.hpp"

namespace tacit::cli {

/// The kernel's numbers by name, and the noise; for a plain se also by the paper's names. With `inputs`, also
/// the numbers of each of these columns, for kernels that have one per column.
Json prior_json(const Prior& prior, const std::vector<std::string>& inputs = {});

Json accuracy_json(const Accuracy& accuracy, const std::vector<std::string>& targets);

/// Null if the study did not include the step.
Json standardise_json(const StudyReport& report);
Json tuning_json(const StudyReport& report);

Json holdout_json(const ConsortiumScore& score, const HoldOut& asked);

/// The units of the reported numbers.
Json units_json(const StudyReport& report);

/// The lines of the text report, one function for each step.
std::string model_text(const StudyReport& report, const StudyOptions& options, const Parties& parties);
std::string accuracy_text(const Accuracy& accuracy, const StudyOptions& options, bool landmarks,
                          const std::vector<std::string>& targets);

Json landmarks_json(const StudyReport& report);
std::string landmarks_text(const StudyReport& report, const StudyOptions& options);
std::string standardise_text(const StandardisingReport& report);
std::string tuning_text(const StudyReport& report);
std::string holdout_text(const ConsortiumScore& score, const HoldOut& asked);

/// The fit with protected rows: what it costs each row, and how good the answers at home are.
std::string protect_text(const ProtectedReport& report);
Json protect_json(const ProtectedReport& report, const std::vector<std::string>& inputs, bool all_agents);

}  // namespace tacit::cli
