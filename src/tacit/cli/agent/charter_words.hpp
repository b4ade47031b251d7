// What several charter commands read and say.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "tacit/charter/charter.hpp"

namespace tacit::cli {

/// From NAME=HOST:PORT.
std::map<std::string, std::string> addresses_of(const std::vector<std::string>& words);

CharterAgent agent_of_card(const std::string& file);

/// "Number    2, after 3f9a…" and the line's end; nothing for a consortium's first charter.
std::string place_text(const Charter& charter, const std::string& label);

/// What the second changes, a line each, below a heading.
std::string changes_text(const Charter& before, const Charter& after, const std::string& heading);

}  // namespace tacit::cli
