// The output of `tacit simulate`.
#pragma once

#include "tacit/cli/lab/result_json.hpp"
#include "tacit/cli/lab/simulate_options.hpp"

namespace tacit::cli {

/// The result as one JSON object.
Json json_of(const SimulateOptions& o, const Parties& parties, const StudyReport& report,
             const Console& console);

/// Prints the result as text.
void print_text(const SimulateOptions& o, const Parties& parties, const StudyReport& report);

}  // namespace tacit::cli
