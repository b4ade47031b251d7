// tacit simulate, for callers that have its options as a struct.
#pragma once

#include "tacit/cli/lab/simulate_options.hpp"

namespace tacit::cli {

class Console;

/// Runs a study with these options, and gives its report to the console. `given` has the settings that the
/// user set.
void run_simulate(SimulateOptions& options, const Given& given, Console& console);

}  // namespace tacit::cli
