#include "tacit/agent/daemon/log.hpp"

#include <spdlog/sinks/stdout_sinks.h>
#include <spdlog/spdlog.h>

#include <nlohmann/json.hpp>

#include "tacit/agent/daemon/utc.hpp"
#include "tacit/base/choices.hpp"
#include "tacit/base/sanitised_text.hpp"
#include "tacit/base/settings.hpp"
#include "tacit/charter/setting_words.hpp"

namespace tacit {
namespace {

constexpr spdlog::level::level_enum levels[] = {spdlog::level::debug, spdlog::level::info,
                                                spdlog::level::warn, spdlog::level::err};

constexpr std::size_t longest_line = 2000;

}  // namespace

std::string to_string(LogLevel level) {
  switch (level) {
    case LogLevel::debug:
      return "debug";
    case LogLevel::info:
      return "info";
    case LogLevel::warning:
      return "warning";
    case LogLevel::error:
      return "error";
  }
  throw Error("unknown level of a log");
}

LogLevel parse_log_level(std::string_view word) {
  constexpr LogLevel all[] = {LogLevel::debug, LogLevel::info, LogLevel::warning, LogLevel::error};
  return value_of("level of the log", word, choices_for(all));
}

std::string json_line(const std::string& time, LogLevel level, const std::string& agent,
                      const std::string& text) {
  const nlohmann::ordered_json line{
      {"time", time}, {"level", to_string(level)}, {"agent", agent}, {"text", text}};
  return line.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
}

LogSink make_log(bool json, LogLevel level, const std::string& agent) {
  const auto logger =
      std::make_shared<spdlog::logger>(agent, std::make_shared<spdlog::sinks::stderr_sink_mt>());
  logger->set_pattern(json ? "%v" : "%Y-%m-%d %H:%M:%S.%e %-7l %n: %v", spdlog::pattern_time_type::utc);
  logger->flush_on(spdlog::level::debug);
  logger->set_level(levels[static_cast<int>(level)]);
  return [logger, json, agent](LogLevel at, const std::string& text) {
    const auto spdlog_level = levels[static_cast<int>(at)];
    if (!logger->should_log(spdlog_level)) return;
    const std::string line = sanitised_text(in_plain_words(in_charter_words(text)),
                                            longest_line);  // it may come from other agents
    logger->log(spdlog_level,
                spdlog::string_view_t(json ? json_line(to_text(utc_now()), at, agent, line) : line));
  };
}

}  // namespace tacit
