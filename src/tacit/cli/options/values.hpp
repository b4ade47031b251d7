// Values of options: whole numbers within limits, durations and ranges.
#pragma once

#include <CLI/CLI.hpp>
#include <cstdint>
#include <string>
#include <utility>

namespace tacit::cli {

/// Accepts only whole numbers from low to high.
CLI::Validator whole_number(std::uint64_t low, std::uint64_t high);

/// Seconds from "0.0002", "0.2ms", "200us", "200µs" or "1s"; at most a million.
double parse_duration(const std::string& option, const std::string& text);

/// Two numbers "LO,HI" with LO < HI.
std::pair<double, double> parse_range(const std::string& option, const std::string& text);

}  // namespace tacit::cli
