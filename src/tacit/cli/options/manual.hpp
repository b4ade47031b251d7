// Generates man pages from the texts of --help.
#pragma once

#include <string>

#include "tacit/cli/options/command_tree.hpp"

namespace tacit::cli {

/// The man page of this command, in troff. Non-ASCII characters are escaped, so that every locale shows them.
std::string manual_page(const Command& command);

}  // namespace tacit::cli
