// The columns of a new charter: written by people, or proposed from one party's data.
#pragma once

#include <filesystem>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "tacit/identity/charter.hpp"

namespace tacit {

struct ProposedColumns {
  std::vector<Column> inputs, targets;
};

/// "age:0..120", "sex:f|m" or "y:0..400:target"; targets end with ":target". Throws InputError.
void add_column(ProposedColumns& columns, const std::string& text);

/// All columns of a CSV file, with ranges wider than the file's by half their width on both sides and
/// rounded, so that they reveal little about its rows and fit other parties' rows too; a column without
/// numbers below 0 stays without. `categorical` columns get the levels that are there. Throws InputError as
/// read_data does, and for a target that is not there.
ProposedColumns propose_columns(const std::filesystem::path& file, const std::vector<std::string>& targets,
                                const std::vector<std::string>& categorical);

/// The range proposed for numbers from low to high.
std::pair<double, double> widened(double low, double high);

}  // namespace tacit
