// The settings of `simulate` and `plan` as fields of the options of these commands.
#pragma once

#include "keywords.hpp"
#include "tacit/cli/lab/plan_command.hpp"
#include "tacit/cli/lab/simulate_options.hpp"

namespace tacit::python {

const Fields<cli::SimulateOptions>& simulate_fields();
const Fields<cli::PlanCommand>& plan_fields();

}  // namespace tacit::python
