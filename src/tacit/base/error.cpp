#include "tacit/base/error.hpp"

#include "tacit/base/settings.hpp"

namespace tacit {

std::vector<std::string> InputError::settings() const { return settings_in(what()); }

}  // namespace tacit
