// An agent's log, by spdlog: text lines or JSON on standard error. It contains no secrets and no data.
#pragma once

#include <string>
#include <string_view>

#include "tacit/link/node/node_options.hpp"

namespace tacit {

/// The word used in agent.toml and in the log. Parsing throws InputError for any other word.
std::string to_string(LogLevel level);
LogLevel parse_log_level(std::string_view word);

/// Levels below `level` are not logged.
LogSink make_log(bool json, LogLevel level, const std::string& agent);

/// One event in the JSON form of make_log.
std::string json_line(const std::string& time, LogLevel level, const std::string& agent,
                      const std::string& text);

}  // namespace tacit
