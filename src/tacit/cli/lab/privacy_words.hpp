// Sentences about what the agents of a simulated consortium would learn from each other.
#pragma once

#include "tacit/cli/lab/result_json.hpp"
#include "tacit/cli/lab/simulate_options.hpp"

namespace tacit::cli {

/// [{"who": ..., "what": ...}], as docs/threat-model.md has it, with this run's numbers.
Json who_learns_what(const SimulateOptions& o, const Parties& parties, const StudyReport& report);

/// What is not guaranteed: a list of sentences.
Json not_promised(const SimulateOptions& o, const Parties& parties);

}  // namespace tacit::cli
