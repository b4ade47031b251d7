// The data of a simulated consortium: the rows of each agent and the test rows.
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
#include "tacit/table/rows/reader_group.hpp"
#include "tacit/table/rows/samples.hpp"

namespace tacit {

enum class SplitMode {
  contiguous,
  shuffled,
  by_column,
  regions  ///< each agent has one region: blocks along the first principal axis of the inputs
};

constexpr double usual_test_fraction = 0.2, usual_test_rows = 5000;

struct PartyOptions {
  std::vector<std::filesystem::path> data;  ///< one file to split, or one for each agent
  bool parts = false;                       ///< the files are parts of one table, which is split
  std::size_t shares = 0;  ///< for a database: how often the query is run, with {share} and {shares}
  std::vector<std::string> targets;
  std::vector<std::string> inputs;  ///< by default, all columns that are neither target nor split column
  std::optional<std::filesystem::path> test;
  std::optional<std::filesystem::path> landmarks;  ///< public points, in the inputs' columns
  /// The fraction of rows held out at random if there is no test file. By default a fifth, but at most
  /// usual_test_rows: each agent predicts at each test point, and more points take long without more
  /// information.
  std::optional<double> test_fraction;
  std::optional<std::size_t> agents;  ///< by default 10 if one file is split and nothing else determines it
  SplitMode split = SplitMode::contiguous;
  std::string split_column;     ///< for by_column: one agent for each of its values
  std::optional<double> y_max;  ///< public bound on |target|; by default, from the data
  std::uint64_t seed = 1;
  ReadOptions reading;              ///< of all files
  ReadTable read = read_data;       ///< the function that reads them
  bool stream = false;              ///< writes rows to a scratch file, so that they are never all in memory
  std::filesystem::path scratch;    ///< the folder of that file; by default, that of temporary files
  Progress* progress = nullptr;     ///< of reading
  ReaderGroup* together = nullptr;  ///< the processes that read together; null for one process
};

/// A file that was read.
struct DataFile {
  std::string name;
  std::size_t rows = 0;     ///< used rows
  std::size_t dropped = 0;  ///< rows dropped because of a missing cell
  bool test = false;
  std::vector<std::string> notes = {};  ///< what was ignored in it
};

/// The columns of all agents.
struct PartyColumns {
  std::vector<std::string> inputs, targets;  ///< a categorical column gives one input for each level
  std::vector<ColumnWords> categorical;      ///< with the levels common to all agents
  std::vector<DateColumn> dates;             ///< with the starts common to all agents
  std::vector<std::string> earliest;  ///< the date columns whose start is the earliest date in the data
};

/// The rows for testing. Without known targets, `outputs` is empty.
struct TestRows : Samples {
  std::vector<std::size_t> lines = {};  ///< for each row, its line or row in its file
  bool targets_known = true;
};

/// The values of the targets in the training rows of all agents.
struct TargetRange {
  Vector low, high;              ///< by target
  std::optional<double> agreed;  ///< the public bound on |target|, if it was given

  void include(const Matrix& outputs);
  double most() const;  ///< the bound if it was given, otherwise the largest |target|
};

/// Training rows that are not in Parties::agents.
struct RowsElsewhere {
  std::vector<std::shared_ptr<const RowReader>> readers;  ///< by agent: in a scratch file or on other ranks
  /// The processes that compute with each agent's rows, if that is not only this process (ranks/).
  std::vector<std::shared_ptr<const Crew>> crews;

  /// If several processes read the data: the rows that this process read, and the rows of each agent.
  struct Read {
    std::vector<std::size_t> first;  ///< the number of the first row of each process, and then of all rows
    Samples own;
    std::vector<RowNumbers> parts;  ///< by agent, as numbers of all rows
  };
  std::optional<Read> read;
};

struct Parties {
  PartyColumns columns;
  std::vector<DataFile> files;
  std::vector<std::string> names;  ///< of the agents
  std::vector<Samples> agents;     ///< the rows of each agent, if they are in the memory of this process
  RowsElsewhere elsewhere;
  TestRows test;
  TargetRange target_range;  ///< measure_targets() sets it, unless a bound is agreed
  Matrix landmarks;          ///< the listed landmarks

  std::size_t count() const { return agents.size() + elsewhere.readers.size(); }  ///< the number of agents
  /// A reader of an agent's rows, in memory or elsewhere. Refers to rows in memory.
  std::shared_ptr<const RowReader> rows_of(std::size_t agent) const;
  std::size_t rows() const;       ///< of all agents
  std::size_t most_rows() const;  ///< max N_i

  /// Reads all rows once for the range of the targets.
  void measure_targets();
};

/// Reads and splits the data. Throws InputError, which names file, line and column, or the option, and the
/// remedy.
Parties gather_parties(const PartyOptions& asked);

}  // namespace tacit
