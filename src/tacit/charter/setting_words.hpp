// How a charter words the settings that messages name (base/settings.hpp).
#pragma once

#include <string>
#include <string_view>

namespace tacit {

/// The charter's field for a setting, such as "the target's low and high in [columns]". Empty for settings
/// that a charter does not have: of files, commands and studies.
std::string charter_field(std::string_view id);

/// The text with a charter's fields for its settings. Settings that a charter does not have keep their ids,
/// for the front end that shows the text.
std::string in_charter_words(std::string_view text);

}  // namespace tacit
