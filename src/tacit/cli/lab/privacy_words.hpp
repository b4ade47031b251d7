// What a simulated consortium's agents would learn from each other, in plain sentences.
#pragma once

#include "tacit/cli/lab/simulate_options.hpp"
#include "tacit/cli/text/json.hpp"

namespace tacit::cli {

/// [{"who": ..., "what": ...}], as docs/threat-model.md has it, with this run's numbers.
Json who_learns_what(const SimulateOptions& o, const Parties& parties, const StudyReport& report);

/// What nobody promises, a list of sentences.
Json not_promised(const SimulateOptions& o, const Parties& parties);

}  // namespace tacit::cli
