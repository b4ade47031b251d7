// Man pages from the texts that --help shows.
#pragma once

#include <string>

#include "tacit/cli/options/command_tree.hpp"

namespace tacit::cli {

/// The man page of this command, in troff. Characters beyond ASCII are written as escapes, so it can be read
/// in any locale.
std::string manual_page(const Command& command);

}  // namespace tacit::cli
