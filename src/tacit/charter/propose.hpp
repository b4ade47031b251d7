// The columns of a new charter: written by people, or proposed from one party's data.
#pragma once

#include <filesystem>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "tacit/charter/charter.hpp"
#include "tacit/table/read_options.hpp"

namespace tacit {

struct ProposedColumns {
  std::vector<Column> inputs, targets;
};

/// "age:0..120", "sex:f|m", "admitted:2018-01-01..2030-12-31" or "y:0..400:target"; targets end with
/// ":target". Throws InputError.
void add_column(ProposedColumns& columns, const std::string& text);

/// The inputs (all other columns when none are named) and targets of a file that is read as `how` says, with
/// ranges wider than the file's by half their width on both sides and rounded, so that they reveal little
/// about its rows and fit other parties' rows too; a column without numbers below 0 stays without. Ranges of
/// dates are whole years. Categorical columns without declared levels get those that are there. Throws
/// InputError as read_data does, and for a target that is not there.
ProposedColumns propose_columns(const std::filesystem::path& file, const std::vector<std::string>& inputs,
                                const std::vector<std::string>& targets, const ReadOptions& how);

/// The range proposed for numbers from low to high.
std::pair<double, double> widened(double low, double high);

}  // namespace tacit
