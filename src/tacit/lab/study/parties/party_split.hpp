// How the rows of a simulated consortium are divided among its agents.
#pragma once

#include <string>
#include <vector>

#include "tacit/lab/study/parties/parties.hpp"

namespace tacit {

/// 0, 1, ...
RowNumbers first_numbers(std::size_t count);

/// Returns the training rows of each agent. Stores the agents' names in `names`.
std::vector<RowNumbers> part_rows(const PartyOptions& options, const std::vector<Table>& tables,
                                  const std::vector<DataFile>& files, RowNumbers train,
                                  std::vector<std::string>& names);

/// Divides the same rows again, so that each agent gets one region.
void deal_regions(std::vector<Samples>& agents);

}  // namespace tacit
