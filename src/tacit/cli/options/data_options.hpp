// Options for reading data files, the same in every command that reads any, and the report on what was read.
#pragma once

#include <CLI/CLI.hpp>
#include <string>

#include "tacit/cli/text/json.hpp"
#include "tacit/table/parties.hpp"
#include "tacit/table/read_settings.hpp"

namespace tacit::cli {

/// Who says which columns are categories and which are dates: the options --categorical and --date, or a
/// charter.
enum class ColumnsFrom { options, charter };

struct DataOptions {
  ReadSettings settings;

  /// Without --missing where no row may be dropped.
  void add_to(CLI::App& command, ColumnsFrom columns = ColumnsFrom::options, bool may_drop = true);

  /// Throws InputError for words that an option does not know.
  ReadOptions checked() const;
  /// The same where somebody else says how files are usually read: options that were given override that.
  ReadOptions checked(const ReadOptions& usual) const;

 private:
  const CLI::App* command_ = nullptr;
  ColumnsFrom columns_ = ColumnsFrom::options;
};

/// Files with the rows used and dropped, the levels of categorical columns, the starts of dates, and notes.
Json data_json(const Parties& parties);

/// A line for each file that rows were dropped from, for each note, categorical column and column of dates.
std::string data_text(const Parties& parties);

}  // namespace tacit::cli
