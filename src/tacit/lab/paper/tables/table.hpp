// tab:computation_time: errors, times and traffic of six networks, beside what the paper published.
#pragma once

#include "tacit/lab/paper/evaluation/experiment.hpp"
#include "tacit/lab/paper/evaluation/libraries.hpp"
#include "tacit/lab/paper/evaluation/other_model.hpp"
#include "tacit/lab/paper/tables/growth.hpp"
#include "tacit/lab/paper/tables/published.hpp"
#include "tacit/lab/paper/tables/rival_facts.hpp"

namespace tacit {

/// A network of the table: a ring lattice, or the complete graph where the degree says so.
struct TableCase {
  std::size_t agents = 0, degree = 0;
  Graph graph() const;
};

/// Protocol 2 as the paper runs it, or one of our variants.
struct Variant {
  std::string name;  ///< "as in the paper", or what is different
  std::function<void(PlanRequest&)> change;
  std::size_t helpers = 0;
  bool exact = false;                    ///< by protocol exact instead
  std::optional<OtherModel> model = {};  ///< another one than the paper's, over exact sums
};

/// "As in the paper" first, then all that this version has.
const std::vector<Variant>& table_variants();
/// Throws Error where there is none.
const Variant& variant_named(std::string_view name);

/// Seconds that a message takes, as in the paper.
inline constexpr double table_latency = 0.2e-3;
SimulatorOptions table_simulator(const ReproduceSettings& settings, std::uint64_t seed);

struct Spread {
  double mean = 0;
  double deviation = 0;  ///< sample standard deviation over the repeats; a single one has none (not a number)
};
Spread spread_of(const std::vector<double>& values);

/// What one draw of the data gave.
struct TableDraw {
  double rmse_mean = 0, rmse_variance = 0, test_error = 0, plain_work = 0, plain_longest = 0;
  SimulationCost cost;
  double total_work() const { return plain_work + cost.work_seconds + cost.network_seconds; }
  double total_longest() const { return plain_longest + cost.busiest_seconds + cost.network_seconds; }
};

/// Times are real seconds on this machine, but for the network's, which are on the virtual clock.
struct TableRow {
  std::string data, variant;
  TableCase network;
  std::size_t repeats = 0;
  std::string left_out;                  ///< why there are no numbers; empty where there are
  std::optional<RivalFacts> rival = {};  ///< not ours
  ConsensusPlan plan;                    ///< of the first repeat
  bool other_model = false;         ///< not the paper's, so there is no plain distributed GPR to compare with
  std::size_t landmarks = 0;        ///< of the first repeat
  Spread rmse_mean, rmse_variance;  ///< not finite for another model
  Spread test_error;
  Spread plain_work, plain_longest;        ///< local models: all agents, the slowest agent
  Spread protocol_work, protocol_longest;  ///< computing for sums: all agents, the slowest agent
  Spread network_seconds;                  ///< waiting for messages that take 0.2 ms each
  Spread total_work, total_longest;        ///< plain + protocol + network, by either way of counting
  std::uint64_t rounds = 0, messages = 0, bytes = 0;

  /// The paper's numbers for it; nothing for our variants.
  const PublishedRow* published() const;
};

/// Fills in a row's numbers.
void summarise(const std::vector<TableDraw>& draws, TableRow& row);

/// One private prediction of ours for these rows.
TableDraw draw_once(const Parties& parties, const TableCase& network, const Variant& variant,
                    const OutputHyperparameters& shared, const ReproduceSettings& settings,
                    std::uint64_t seed, TableRow* row = nullptr);

/// One row: `repeats` draws of the data, each predicted in private once.
TableRow run_table_row(const DataSet& data, const TableCase& network, const Variant& variant,
                       const OutputHyperparameters& shared, std::size_t repeats,
                       const ReproduceSettings& settings);

/// A row without numbers, for the reason given.
TableRow left_out_row(const DataSet& data, const TableCase& network, std::string variant, std::string why);

/// The rows that the paper's table has for this data.
std::vector<TableCase> table_cases(const DataSet& data);

struct PaperTable {
  std::vector<TableRow> rows;  ///< ours, variant by variant, then the rivals'
  std::vector<Growth> growth = {};
  std::vector<LibrarySpeed> libraries = {};
};

/// All rows of the given data sets. Exact sums and other models are drawn as often as rivals (rival_repeats),
/// our other variants a twentieth as often, at least once. A row that is left out says why.
PaperTable reproduce_table(const std::vector<DataSet>& data, const ReproduceSettings& settings);

}  // namespace tacit
