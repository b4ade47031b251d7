// Options for reading data files, and the report on what was read.
#pragma once

#include <CLI/CLI.hpp>
#include <string>
#include <vector>

#include "tacit/cli/json.hpp"
#include "tacit/data/parties.hpp"

namespace tacit::cli {

struct DataOptions {
  std::string delimiter, decimal = "point", missing = "error";
  std::vector<std::string> missing_values, categorical, variables;

  void add_to(CLI::App& command);

  /// Throws InputError for words that an option does not know.
  ReadOptions checked() const;
};

/// Files with the rows used and dropped, and the levels of categorical columns.
Json data_json(const Parties& parties);

/// A line for each file that rows were dropped from and for each categorical column.
std::string data_text(const Parties& parties);

}  // namespace tacit::cli
