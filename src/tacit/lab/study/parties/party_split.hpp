// Who of a simulated consortium holds which rows.
#pragma once

#include <string>
#include <vector>

#include "tacit/lab/study/parties/parties.hpp"

namespace tacit {

/// 0, 1, ...
RowNumbers first_numbers(std::size_t count);

/// By agent, of the rows to train on. `names` gets the agents' names.
std::vector<RowNumbers> part_rows(const PartyOptions& options, const std::vector<Table>& tables,
                                  const std::vector<DataFile>& files, RowNumbers train,
                                  std::vector<std::string>& names);

/// The same rows dealt out anew, so that every agent gets one region.
void deal_regions(std::vector<Samples>& agents);

}  // namespace tacit
