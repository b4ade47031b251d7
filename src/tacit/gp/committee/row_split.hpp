// The assignment of one party's rows to experts.
//
// Threads: any number of threads may call these functions.
// Errors: InputError for names and options that cannot be used.
// Stopping: each call runs to its end.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "tacit/gp/committee/row_reader.hpp"
#include "tacit/gp/defaults.hpp"
#include "tacit/gp/matrix.hpp"

namespace tacit {

/// How rows are split.
enum class RowSplit {
  random,   ///< the rows of every expert cover the whole input space, thinly
  clusters  ///< the rows of every expert cover one region, densely: bisecting k-means on the inputs
};

/// The options of a split.
struct CommitteeOptions {
  std::size_t expert_rows = consortium_defaults.expert_rows;  ///< the most rows of one expert
  RowSplit split = RowSplit::random;
  std::uint64_t seed = consortium_defaults.seed;
};

/// Returns the split of this name. Throws InputError, listing the names, for any other name.
RowSplit parse_row_split(std::string_view name);
/// Returns the name of a split.
std::string to_string(RowSplit split);

/// Returns the number of experts for this many rows, the smallest that the options allow.
std::size_t expert_count(std::size_t rows, const CommitteeOptions& options);

/// Returns the row numbers of each expert in ascending order. Sizes differ by at most one. The same seed
/// gives the same split. Clusters are formed after each column is scaled by its deviation. Takes
/// O(rows (dimensions + 1) log experts) time.
std::vector<std::vector<Index>> split_rows(const Matrix& inputs, const CommitteeOptions& options);

/// Returns the same for the rows of a source. Throws InputError for clusters unless the rows are in memory.
std::vector<std::vector<Index>> split_rows(const RowReader& source, const CommitteeOptions& options);

}  // namespace tacit
