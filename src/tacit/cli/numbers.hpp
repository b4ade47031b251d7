// Numbers for people.
#pragma once

#include <cstdint>
#include <string>

#include "tacit/simulation/study.hpp"

namespace tacit::cli {

/// 29,700
std::string count(std::uint64_t value);
/// 37.2 MB
std::string size(std::uint64_t bytes);
/// 12 ms
std::string duration(double seconds);
/// "1 agent", "3 agents"
std::string plural(std::uint64_t n, const std::string& word);

/// Why this plan promises nothing about predictions whose variance may be up to `variance`, and what would.
std::string nothing_promised(const ConsensusPlan& plan, double variance);

/// What the masks withstand and what the trajectory shows, in plain words; several lines.
std::string privacy_text(const Privacy& privacy, const std::string& indent);

}  // namespace tacit::cli
