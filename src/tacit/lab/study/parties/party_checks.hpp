// Checks of the options of gather_parties().
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "tacit/lab/study/parties/parties.hpp"

namespace tacit {

bool contains(const std::vector<std::string>& list, const std::string& name);

/// Throws InputError for a name that occurs twice. `what` describes the problem and the remedy.
void refuse_doubles(std::vector<std::string> columns, std::string_view what);

/// Throws InputError for options that are invalid or contradict each other.
void check_options(const PartyOptions& options);

/// Throws InputError for targets above the bound, with their locations.
void check_y_max(double y_max, const std::vector<Table>& tables, const std::vector<std::string>& targets);

}  // namespace tacit
