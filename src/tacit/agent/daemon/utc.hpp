// Times in the one form that agents write: UTC with milliseconds.
#pragma once

#include <chrono>
#include <optional>
#include <string>
#include <string_view>

namespace tacit {

using UtcTime = std::chrono::sys_time<std::chrono::milliseconds>;

UtcTime utc_now();

/// "2026-11-16T03:08:54.123Z"
std::string to_text(UtcTime time);

/// Reads exactly this form; nullopt for any other text and for a time that does not exist.
std::optional<UtcTime> parse_utc(std::string_view text);

}  // namespace tacit
