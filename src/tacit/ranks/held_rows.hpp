// Some of a party's rows, the others of which lie on other ranks.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "tacit/gp/committee/row_reader.hpp"
#include "tacit/gp/committee/row_split.hpp"
#include "tacit/table/row_blocks.hpp"

namespace tacit {

/// The party has `all` rows, of which these are here: their numbers, ascending, and themselves. To read
/// another one is an error of the program.
std::shared_ptr<const RowReader> held_rows(std::size_t all, std::vector<Index> which, Samples rows);

/// Who holds a party's rows, and how a rank's experts share those that it holds.
struct ExpertsOfRank {
  std::vector<std::uint32_t> rank_of;       ///< each row, as experts need them
  std::vector<std::vector<Index>> experts;  ///< of all; those of other ranks have no rows here
};
ExpertsOfRank experts_of_rank(std::size_t rank, std::size_t ranks, std::size_t party, std::size_t rows,
                              const CommitteeOptions& committee);

/// The first of these alone.
std::vector<std::uint32_t> rank_of_row(std::size_t ranks, std::size_t party, std::size_t rows,
                                       const CommitteeOptions& committee);

/// The numbers of those that one rank holds.
std::vector<Index> rows_of_rank(const std::vector<std::uint32_t>& rank_of, std::size_t rank);

}  // namespace tacit
