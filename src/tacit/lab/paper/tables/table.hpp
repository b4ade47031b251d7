// tab:computation_time: errors, times and traffic of six networks, beside the published numbers.
#pragma once

#include "tacit/lab/paper/evaluation/experiment.hpp"
#include "tacit/lab/paper/evaluation/libraries.hpp"
#include "tacit/lab/paper/evaluation/other_model.hpp"
#include "tacit/lab/paper/tables/growth.hpp"
#include "tacit/lab/paper/tables/published.hpp"
#include "tacit/lab/paper/tables/rival_facts.hpp"

namespace tacit {

/// A network of the table: a ring lattice, or the complete graph for degree M − 1.
struct TableCase {
  std::size_t agents = 0, degree = 0;
  Graph graph() const;
};

/// Protocol 2 as the paper runs it, or one of our variants.
struct Variant {
  std::string name;  ///< "as in the paper", or the difference
  std::function<void(PlanRequest&)> change;
  std::size_t helpers = 0;
  bool exact = false;                    ///< uses protocol exact
  std::optional<OtherModel> model = {};  ///< a model other than the paper's, over exact sums
};

/// "As in the paper" first, then all variants of this version.
const std::vector<Variant>& table_variants();
/// Throws Error for an unknown name.
const Variant& variant_named(std::string_view name);

/// The seconds that a message takes, as in the paper.
inline constexpr double table_latency = 0.2e-3;
SimulatorOptions table_simulator(const ReproduceSettings& settings, std::uint64_t seed);

struct Spread {
  double mean = 0;
  double deviation = 0;  ///< sample standard deviation over the repeats; not a number for a single one
};
Spread spread_of(const std::vector<double>& values);

/// The result of one draw of the data.
struct TableDraw {
  double rmse_mean = 0, rmse_variance = 0, test_error = 0, plain_work = 0, plain_longest = 0;
  SimulationCost cost;
  double total_work() const { return plain_work + cost.work_seconds + cost.network_seconds; }
  double total_longest() const { return plain_longest + cost.busiest_seconds + cost.network_seconds; }
};

/// Times are real seconds on this machine, except those of the network, which are of the virtual clock.
struct TableRow {
  std::string data, variant;
  TableCase network;
  std::size_t repeats = 0;
  std::string left_out;                  ///< why there are no numbers; empty if there are
  std::optional<RivalFacts> rival = {};  ///< for a rival's row
  ConsensusPlan plan;                    ///< of the first repeat
  bool other_model = false;         ///< not the paper's model, so no comparison with plain distributed GPR
  std::size_t landmarks = 0;        ///< of the first repeat
  Spread rmse_mean, rmse_variance;  ///< not finite for another model
  Spread test_error;
  Spread plain_work, plain_longest;        ///< local models: all agents, the slowest agent
  Spread protocol_work, protocol_longest;  ///< computing for sums: all agents, the slowest agent
  Spread network_seconds;                  ///< waiting for messages that take 0.2 ms each
  Spread total_work, total_longest;        ///< plain + protocol + network, counted in either way
  std::uint64_t rounds = 0, messages = 0, bytes = 0;

  /// The paper's numbers for this row; null for our variants.
  const PublishedRow* published() const;
};

/// Computes the numbers of a row.
void summarise(const std::vector<TableDraw>& draws, TableRow& row);

/// Runs one private prediction by our protocols for these rows.
TableDraw draw_once(const Parties& parties, const TableCase& network, const Variant& variant,
                    const OutputHyperparameters& shared, const ReproduceSettings& settings,
                    std::uint64_t seed, TableRow* row = nullptr);

/// Measures one row: `repeats` draws of the data with one private prediction each.
TableRow run_table_row(const DataSet& data, const TableCase& network, const Variant& variant,
                       const OutputHyperparameters& shared, std::size_t repeats,
                       const ReproduceSettings& settings);

/// A row without numbers, for the given reason.
TableRow left_out_row(const DataSet& data, const TableCase& network, std::string variant, std::string why);

/// The networks of the paper's table for this data set.
std::vector<TableCase> table_cases(const DataSet& data);

struct PaperTable {
  std::vector<TableRow> rows;  ///< ours, ordered by variant, then those of the rivals
  std::vector<Growth> growth = {};
  std::vector<LibrarySpeed> libraries = {};
};

/// Measures all rows of the given data sets. Exact sums and other models are drawn as often as rivals
/// (rival_repeats), our other variants a twentieth as often as the table's rows, at least once. A row that is
/// left out states the reason.
PaperTable reproduce_table(const std::vector<DataSet>& data, const ReproduceSettings& settings);

}  // namespace tacit
