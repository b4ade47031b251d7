// What is needed to reproduce a result, and the options --json and --report.
#pragma once

#include <CLI/CLI.hpp>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "tacit/answers/json.hpp"
#include "tacit/cli/options/console.hpp"

namespace tacit::cli {

/// The command, the user's command line, the release, the seed, and digests of the files that were read.
Json about(const std::string& command, const Console& console, std::optional<std::uint64_t> seed = {},
           const std::vector<std::filesystem::path>& files = {});

/// --json and --report, shared by all commands whose results can be written as a report.
struct ResultOptions {
  bool json = false;
  std::string report;  ///< a file; empty for none

  void add_to(CLI::App& command, const std::string& group = "Options");
  void add_json(CLI::App& command, const std::string& group = "Options");
  void add_report(CLI::App& command, const std::string& group = "Options");
  /// Throws InputError if the report cannot be written. Call it before the work, so that the user learns it
  /// early.
  void check() const;
  /// Gives the result as JSON or by `text`, as the user chose, and also writes the report if one was
  /// requested.
  void give(Console& console, const std::function<Json()>& result, const std::function<void()>& text) const;
};

}  // namespace tacit::cli
