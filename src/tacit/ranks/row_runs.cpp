#include "tacit/ranks/row_runs.hpp"

#include <cstdint>
#include <utility>

namespace tacit {

void write_runs(SavedWriter& out, std::span<const Index> rows) {
  std::vector<std::pair<Index, Index>> runs;
  for (const Index row : rows)
    if (!runs.empty() && row == runs.back().first + runs.back().second)
      ++runs.back().second;
    else
      runs.emplace_back(row, 1);
  out.number<std::uint64_t>(runs.size());
  for (const auto& [first, count] : runs) {
    out.number<std::int64_t>(first);
    out.number<std::int64_t>(count);
  }
}

std::vector<Index> read_runs(SavedReader& in) {
  std::vector<Index> rows;
  for (std::size_t left = in.count(2 * sizeof(std::int64_t)); left > 0; --left) {
    const Index first = in.number<std::int64_t>(), count = in.number<std::int64_t>();
    for (Index k = 0; k < count; ++k) rows.push_back(first + k);
  }
  return rows;
}

}  // namespace tacit
