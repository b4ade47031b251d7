// An agent's log, by spdlog: lines for people or JSON for programs, on standard error. No secrets, no data.
#pragma once

#include <string>

#include "tacit/link/node/node_options.hpp"

namespace tacit {

/// `level` is debug, info, warning or error; lower levels are left out.
LogSink make_log(bool json, const std::string& level, const std::string& agent);

/// One event as JSON, as make_log writes it.
std::string json_line(const std::string& time, LogLevel level, const std::string& agent,
                      const std::string& text);

}  // namespace tacit
