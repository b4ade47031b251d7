// Some of a party's rows; the others are on other ranks.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "tacit/gp/committee/row_reader.hpp"
#include "tacit/gp/committee/row_split.hpp"
#include "tacit/table/rows/samples.hpp"

namespace tacit {

/// Returns a reader for a party of `all` rows, of which this rank has `rows`, numbered `which` in ascending
/// order. Reading any other row is a programming error.
std::shared_ptr<const RowReader> held_rows(std::size_t all, std::vector<Index> which, Samples rows);

/// The rank of each of a party's rows, and how one rank's experts share the rows that it holds.
struct ExpertsOfRank {
  std::vector<std::uint32_t> rank_of;       ///< for each row, the rank of the expert that needs it
  std::vector<std::vector<Index>> experts;  ///< the rows of each expert; empty for experts of other ranks
};
ExpertsOfRank experts_of_rank(std::size_t rank, std::size_t ranks, std::size_t party, std::size_t rows,
                              const CommitteeOptions& committee);

/// Returns the numbers of the rows that one rank holds.
std::vector<Index> rows_of_rank(const std::vector<std::uint32_t>& rank_of, std::size_t rank);

}  // namespace tacit
