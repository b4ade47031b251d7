// What is asked of gather_parties, and what cannot be done.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "tacit/lab/study/parties/parties.hpp"

namespace tacit {

bool contains(const std::vector<std::string>& list, const std::string& name);

/// Throws InputError for a name that is there twice; `what` says what is wrong about that, and the cure.
void refuse_doubles(std::vector<std::string> columns, std::string_view what);

/// Throws InputError for options that make no sense, or do not go together.
void check_options(const PartyOptions& options);

/// Throws InputError for targets above the bound, with their places.
void check_y_max(double y_max, const std::vector<Table>& tables, const std::vector<std::string>& targets);

}  // namespace tacit
