// Formats numbers for users.
#pragma once

#include <cstdint>
#include <string>

namespace tacit {

/// 29,700
std::string count(std::uint64_t value);
/// 37.2 MB
std::string size(std::uint64_t bytes);
/// 12 ms
std::string duration(double seconds);
/// "1 agent", "3 agents"
std::string plural(std::uint64_t n, const std::string& word);

}  // namespace tacit
