// Runs the paper's rivals on the table's rows: [11], shares between two servers, and [12], multi-key CKKS.
#pragma once

#include "tacit/lab/paper/tables/table.hpp"

namespace tacit {

struct Rival {
  std::string name;
  std::size_t column = 0;  ///< of the published table
  /// The result of one draw. `draw` is empty if the run was stopped at the limit.
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

/// The rivals of the settings.
std::vector<Rival> rivals(const ReproduceSettings& settings);

/// A quarter of the table's draws, at least one. The times of rivals vary less from draw to draw than ours.
std::size_t rival_repeats(const ReproduceSettings& settings);

/// A rival's row. Of the network, it depends only on M. A rival that refuses the model, or fails, is left
/// out, and the row states the reason.
TableRow run_rival_row(const DataSet& data, const TableCase& network, const Rival& rival,
                       const OutputHyperparameters& shared, std::size_t repeats,
                       const ReproduceSettings& settings);

/// The rows for each network of the table. Networks that differ only in their degree share a measurement.
std::vector<TableRow> rival_rows(const DataSet& data, const OutputHyperparameters& shared,
                                 const ReproduceSettings& settings);

}  // namespace tacit
