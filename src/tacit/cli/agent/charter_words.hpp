// Inputs and texts that several charter commands share.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "tacit/charter/charter.hpp"

namespace tacit::cli {

/// Parses NAME=HOST:PORT.
std::map<std::string, std::string> addresses_of(const std::vector<std::string>& words);

CharterAgent agent_of_card(const std::string& file);

/// A line such as "Number    2, after 3f9a…"; empty for a consortium's first charter.
std::string place_text(const Charter& charter, const std::string& label);

/// The changes from the first to the second charter, one line each, below a heading.
std::string changes_text(const Charter& before, const Charter& after, const std::string& heading);

}  // namespace tacit::cli
