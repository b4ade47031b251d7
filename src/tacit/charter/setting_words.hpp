// How a charter words the settings that messages name (base/settings.hpp).
#pragma once

#include <string>
#include <string_view>

namespace tacit {

/// The text with a charter's fields for its settings, such as "the target's low and high in [columns]".
/// Settings that a charter does not have (of files, commands and studies) keep their ids, for the front end
/// that shows the text.
std::string in_charter_words(std::string_view text);

}  // namespace tacit
