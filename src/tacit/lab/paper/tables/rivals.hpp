// The paper's rivals on the table's rows: [11], shares between two servers, and [12], multi-key CKKS.
#pragma once

#include "tacit/lab/paper/tables/table.hpp"

namespace tacit {

struct Rival {
  std::string name;
  std::size_t column = 0;  ///< of the published table
  /// One draw: what it took, and where. There is none when it was stopped at the limit.
  struct Outcome {
    std::optional<TableDraw> draw = {};
    std::optional<RivalStop> stopped = {};
    std::string parameters = {};
    std::vector<RivalPhase> phases = {};
  };
  std::function<Outcome(const Parties&, const OutputHyperparameters&, const ReproduceSettings&,
                        std::uint64_t seed, double limit)>
      run;
};

/// Those that the settings ask for.
std::vector<Rival> rivals(const ReproduceSettings& settings);

/// A quarter of the table's draws, at least one: their times vary less than ours from draw to draw.
std::size_t rival_repeats(const ReproduceSettings& settings);

/// A rival's row. M is all of the network that it depends on. A rival that refuses the model, or fails, is
/// left out with its reason.
TableRow run_rival_row(const DataSet& data, const TableCase& network, const Rival& rival,
                       const OutputHyperparameters& shared, std::size_t repeats,
                       const ReproduceSettings& settings);

/// For every network of the table; those that differ in their degree alone share a measurement.
std::vector<TableRow> rival_rows(const DataSet& data, const OutputHyperparameters& shared,
                                 const ReproduceSettings& settings);

}  // namespace tacit
