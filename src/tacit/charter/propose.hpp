// The columns of a new charter: given by the user, or proposed from one party's data.
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

/// The inputs (all other columns if none are named) and targets of a file, read with the options `how`.
/// Ranges are wider than the file's by half their width on both sides, and rounded. So they reveal little
/// about its rows, and also fit the rows of other parties. A column without numbers below 0 keeps a lower
/// limit of at least 0. Ranges of dates are whole years. Categorical columns without declared levels get the
/// levels that occur. Throws InputError as read_data does, and for a missing target.
ProposedColumns propose_columns(const std::filesystem::path& file, const std::vector<std::string>& inputs,
                                const std::vector<std::string>& targets, const ReadOptions& how);

/// The range proposed for numbers from low to high.
std::pair<double, double> widened(double low, double high);

}  // namespace tacit
