// How Python words the settings that messages name (tacit/base/settings.hpp).
#pragma once

#include <string>
#include <string_view>

namespace tacit::python {

/// The keyword, with its method if it is not clear which: "y_max=", "Agent.predict(together=True)".
std::string keyword_of(std::string_view setting);

/// The text with keywords for its settings: "use tune='none'".
std::string in_keywords(std::string_view text);

}  // namespace tacit::python
