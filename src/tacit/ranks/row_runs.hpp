// Numbers of rows in messages. Most are asked for one after the other, so neighbours are one run: its first
// number and how many there are.
#pragma once

#include <span>
#include <vector>

#include "tacit/gp/matrix.hpp"
#include "tacit/gp/saved_file.hpp"

namespace tacit {

void write_runs(SavedWriter& out, std::span<const Index> rows);
std::vector<Index> read_runs(SavedReader& in);

}  // namespace tacit
