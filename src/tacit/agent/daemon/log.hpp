// An agent's log, by spdlog: text lines or JSON on standard error. It contains no secrets and no data.
#pragma once

#include <string>

#include "tacit/link/node/node_options.hpp"

namespace tacit {

/// `level` is debug, info, warning or error; lower levels are not logged.
LogSink make_log(bool json, const std::string& level, const std::string& agent);

/// One event in the JSON form of make_log.
std::string json_line(const std::string& time, LogLevel level, const std::string& agent,
                      const std::string& text);

}  // namespace tacit
