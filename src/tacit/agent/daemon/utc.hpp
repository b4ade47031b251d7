// Times as agents write them: UTC, in one form.
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

/// Reads exactly that form, of a time that exists; nothing else.
std::optional<UtcTime> parse_utc(std::string_view text);

}  // namespace tacit
