// Options for reading data files, shared by all commands that read data.
#pragma once

#include <CLI/CLI.hpp>
#include <string>

#include "tacit/table/read_settings.hpp"

namespace tacit::cli {

/// Where the categorical columns and the date columns are declared: in the options --categorical and --date,
/// or in a charter.
enum class ColumnsFrom { options, charter };

struct DataOptions {
  ReadSettings settings;

  /// Omits --missing if no row may be dropped.
  void add_to(CLI::App& command, ColumnsFrom columns = ColumnsFrom::options, bool may_drop = true);

  /// Throws InputError for a value that an option does not accept.
  ReadOptions checked() const;
  /// The same with defaults from elsewhere, such as agent.toml. Options that the user gave override them.
  ReadOptions checked(const ReadOptions& usual) const;

 private:
  const CLI::App* command_ = nullptr;
  ColumnsFrom columns_ = ColumnsFrom::options;
};

}  // namespace tacit::cli
