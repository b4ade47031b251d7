// How to get a result again, and the file that shows it to people.
#pragma once

#include <CLI/CLI.hpp>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "tacit/cli/options/console.hpp"
#include "tacit/cli/text/json.hpp"

namespace tacit::cli {

/// The command, its line as the user wrote it, the release, the seed, and digests of the files that were
/// read.
Json about(const std::string& command, const Console& console, std::optional<std::uint64_t> seed = {},
           const std::vector<std::filesystem::path>& files = {});

/// --json and --report, the same for all commands whose results can be handed around.
struct ResultOptions {
  bool json = false;
  std::string report;  ///< a file; empty for none

  void add_to(CLI::App& command, const std::string& group = "Options");
  void add_json(CLI::App& command, const std::string& group = "Options");
  void add_report(CLI::App& command, const std::string& group = "Options");
  /// Before the work, so that a place that cannot be written to is told at once. Throws InputError.
  void check() const;
  /// Gives the result as it was asked for: as JSON, or else by `text`, and as a file besides.
  void give(Console& console, const std::function<Json()>& result, const std::function<void()>& text) const;
};

}  // namespace tacit::cli
