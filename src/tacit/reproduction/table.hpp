// tab:computation_time: errors, times and traffic of six networks, beside what the paper published.
#pragma once

#include "tacit/reproduction/experiment.hpp"
#include "tacit/reproduction/other_model.hpp"
#include "tacit/reproduction/published.hpp"

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

struct Spread {
  double mean = 0, deviation = 0;  ///< over the repeats; sample standard deviation, 0 for a single repeat
};
Spread spread_of(const std::vector<double>& values);

/// Times are real seconds on this machine, but for the network's, which are on the virtual clock.
struct TableRow {
  std::string data, variant;
  TableCase network;
  std::size_t repeats = 0;
  ConsensusPlan plan;               ///< of the first repeat
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

/// One row: `repeats` draws of the data, each predicted in private once.
TableRow run_table_row(const DataSet& data, const TableCase& network, const Variant& variant,
                       const OutputHyperparameters& shared, std::size_t repeats,
                       const ReproduceSettings& settings);

/// All rows of the given data sets; our variants are repeated a twentieth as often, at least once.
std::vector<TableRow> reproduce_table(const std::vector<DataSet>& data, const ReproduceSettings& settings);

}  // namespace tacit
