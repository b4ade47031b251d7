// What `tacit simulate` prints.
#pragma once

#include "tacit/cli/lab/simulate_options.hpp"
#include "tacit/cli/text/json.hpp"

namespace tacit::cli {

/// One object for programs.
Json json_of(const SimulateOptions& o, const Parties& parties, const StudyReport& report,
             const Console& console);

/// A page for people.
void print_text(const SimulateOptions& o, const Parties& parties, const StudyReport& report);

}  // namespace tacit::cli
