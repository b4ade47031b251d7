// How the command line words the settings that messages name (base/settings.hpp).
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace tacit::cli {

/// The option, with its command if it is not clear which: "--y-max", "tacit predict --together".
std::string option_of(std::string_view setting);

/// The text with options for its settings: "use --tune none".
std::string in_options(std::string_view text);
std::vector<std::string> in_options(std::vector<std::string> texts);

}  // namespace tacit::cli
