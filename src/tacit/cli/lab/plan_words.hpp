// Sentences about plans and privacy, for the reports of the laboratory's commands.
#pragma once

#include <string>

#include "tacit/answers/numbers.hpp"
#include "tacit/lab/study/study.hpp"

namespace tacit::cli {

/// States that this plan has no error bound for predictions with a variance of up to `variance`, and what is
/// needed.
std::string nothing_promised(const ConsensusPlan& plan, double variance);

/// What the masks withstand and what the trajectory reveals, in several lines.
std::string privacy_text(const Privacy& privacy, const std::string& indent);
/// The same as a list of sentences.
std::vector<std::string> privacy_sentences(const Privacy& privacy);

}  // namespace tacit::cli
