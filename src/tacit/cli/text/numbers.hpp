// Numbers for people, and what plans and privacy mean in words.
#pragma once

#include <string>

#include "tacit/answers/numbers.hpp"
#include "tacit/lab/study/study.hpp"

namespace tacit::cli {

/// Why this plan promises nothing about predictions whose variance may be up to `variance`, and what would.
std::string nothing_promised(const ConsensusPlan& plan, double variance);

/// What the masks withstand and what the trajectory shows, in plain words; several lines.
std::string privacy_text(const Privacy& privacy, const std::string& indent);
/// The same, a sentence each.
std::vector<std::string> privacy_sentences(const Privacy& privacy);

}  // namespace tacit::cli
