#include "tacit/agent/daemon/served_charter.hpp"

#include <fmt/format.h>

#include "tacit/agent/daemon/configuration.hpp"
#include "tacit/base/error.hpp"

namespace tacit {

ServedCharter served_charter(const WorkMaterial& material, const LogSink& log) {
  ServedCharter served{material.charter, material.self};
  try {
    served.before = previous_charter(material.state);
  } catch (const Error& e) {
    log(LogLevel::warning,
        fmt::format("the page does not show what changed since the previous charter: {}", e.what()));
  }
  return served;
}

}  // namespace tacit
