// How one party's rows are split among experts.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "tacit/gp/committee/row_reader.hpp"
#include "tacit/gp/matrix.hpp"

namespace tacit {

enum class RowSplit {
  random,   ///< every expert sees all of the input space, thinly
  clusters  ///< every expert sees one region, closely: bisecting k-means on the inputs
};

struct CommitteeOptions {
  std::size_t expert_rows = 500;  ///< the most rows of one expert; docs/performance.md measures the choice
  RowSplit split = RowSplit::random;
  std::uint64_t seed = 1;
};

/// Throws InputError, listing the known ways, for any other name.
RowSplit parse_row_split(std::string_view name);
std::string to_string(RowSplit split);

/// How many experts these options make of this many rows: as few as possible.
std::size_t expert_count(std::size_t rows, const CommitteeOptions& options);

/// Row numbers of each expert, ascending; sizes differ by at most one. The same seed gives the same split. By
/// clusters, columns weigh by their spread. O(rows (dimensions + 1) log experts).
std::vector<std::vector<Index>> split_rows(const Matrix& inputs, const CommitteeOptions& options);

/// The same of rows that may be elsewhere. Throws InputError for clusters then, as these look at all inputs.
std::vector<std::vector<Index>> split_rows(const RowReader& source, const CommitteeOptions& options);

}  // namespace tacit
