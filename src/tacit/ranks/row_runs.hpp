// Writes row numbers into messages. Most requests are for consecutive rows, so each run of consecutive
// numbers is stored as its first number and its length.
#pragma once

#include <span>
#include <vector>

#include "tacit/gp/matrix.hpp"
#include "tacit/gp/saved_file.hpp"

namespace tacit {

void write_runs(SavedWriter& out, std::span<const Index> rows);
std::vector<Index> read_runs(SavedReader& in);

}  // namespace tacit
