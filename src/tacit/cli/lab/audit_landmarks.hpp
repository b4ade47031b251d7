// tacit audit --landmarks: reports what the sum over landmarks opens.
#pragma once

#include <CLI/CLI.hpp>
#include <cstdint>
#include <optional>

namespace tacit::cli {

class Console;
struct ResultOptions;

struct LandmarkOptions {
  std::optional<std::size_t> landmarks, rows, inputs;
  std::size_t outputs = 1;

  /// Excludes the options in `not_with`, which ask about a network.
  void add_to(CLI::App& command, std::initializer_list<const char*> not_with);
};

void run_landmarks(const LandmarkOptions& options, std::size_t agents, std::uint64_t seed,
                   const ResultOptions& result, Console& console);

}  // namespace tacit::cli
