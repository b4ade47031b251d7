// The data of a simulated consortium: what each agent holds, and the rows it is tested on.
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "tacit/gp/committee/crew.hpp"
#include "tacit/gp/committee/row_reader.hpp"
#include "tacit/table/data_columns.hpp"
#include "tacit/table/read_data.hpp"
#include "tacit/table/rows/read_together.hpp"
#include "tacit/table/rows/samples.hpp"

namespace tacit {

enum class SplitMode {
  contiguous,
  shuffled,
  by_column,
  regions  ///< every agent sees one region: blocks along the first principal axis of the inputs
};

constexpr double usual_test_fraction = 0.2, usual_test_rows = 5000;

struct PartyOptions {
  std::vector<std::filesystem::path> data;  ///< one file to split, or one for each agent
  bool parts = false;                       ///< the files are parts of one table, which is split
  std::size_t shares = 0;  ///< of a database: the query is asked that often, with {share} and {shares}
  std::vector<std::string> targets;
  std::vector<std::string> inputs;  ///< none means every column that is neither target nor split column
  std::optional<std::filesystem::path> test;
  std::optional<std::filesystem::path> landmarks;  ///< public points, in the inputs' columns
  /// Of the rows, held out at random when there is no test file. When absent a fifth, or usual_test_rows if
  /// that is less: every agent answers at every test point, and more would take long and tell no more.
  std::optional<double> test_fraction;
  std::optional<std::size_t> agents;  ///< 10 when one file is split and nothing else says how many
  SplitMode split = SplitMode::contiguous;
  std::string split_column;     ///< for by_column: one agent for each of its values
  std::optional<double> y_max;  ///< public bound on |target|; what the data have when absent
  std::uint64_t seed = 1;
  ReadOptions reading;               ///< of all files
  ReadTable read = read_data;        ///< what reads them
  bool stream = false;               ///< rows go to a scratch file, and never are in memory all at once
  std::filesystem::path scratch;     ///< the folder for it; where temporary files go when empty
  Progress* progress = nullptr;      ///< of reading
  ReadTogether* together = nullptr;  ///< who else reads; nobody when there is none
};

/// A file that was read.
struct DataFile {
  std::string name;
  std::size_t rows = 0;     ///< that are used
  std::size_t dropped = 0;  ///< because a cell was missing
  bool test = false;
  std::vector<std::string> notes = {};  ///< what was passed over in it
};

struct Parties {
  std::vector<std::string> inputs, targets;  ///< inputs: a categorical column gives one for each level
  std::vector<ColumnWords> categorical;      ///< with the levels that all agents agree on
  std::vector<DateColumn> dates;             ///< with the starts that all agents agree on
  std::vector<std::string> earliest;         ///< of these, whose start is the earliest date in the data
  std::vector<DataFile> files;
  std::vector<std::string> names;  ///< of the agents
  std::vector<Samples> agents;     ///< what each holds
  /// The same where rows are in a scratch file; `agents` are none then.
  std::vector<std::shared_ptr<const RowReader>> streamed;
  Samples test;
  std::vector<std::size_t> test_lines;  ///< of each test row: its line, or row, in the file it comes from
  bool test_targets_known = true;       ///< test.outputs is empty when not
  double y_max = 0;                     ///< the largest |target|, or the bound that was asked for
  bool y_max_agreed = false;            ///< it was asked for
  Matrix landmarks;                     ///< those that were listed

  /// Where several processes read the data: the rows that this one read, of which agents are to get which.
  struct Read {
    std::vector<std::size_t> first;  ///< of all rows, the first that each process read; then their number
    Samples own;
    std::vector<RowNumbers> parts;  ///< by agent, of all rows
  };
  std::optional<Read> read;
  /// Who computes with each agent's rows, where that is not this process alone (ranks/).
  std::vector<std::shared_ptr<const Crew>> crews;

  std::size_t count() const { return agents.size() + streamed.size(); }  ///< of the agents
  /// An agent's rows, wherever they are. To those in memory it holds references.
  std::shared_ptr<const RowReader> rows_of(std::size_t agent) const;
  std::size_t rows() const;       ///< that agents hold
  std::size_t most_rows() const;  ///< max N_i
};

/// Reads and splits. Throws InputError naming file, line and column, or the option, and the cure.
Parties gather_parties(const PartyOptions& asked);

}  // namespace tacit
