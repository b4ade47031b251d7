// What a rank holds of its agent's rows: a share of each set of rows that rank 0 names by a number.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <vector>

#include "tacit/agent/rows/row_set.hpp"
#include "tacit/ranks/shared_parties.hpp"

namespace tacit {

/// What all ranks do at once with their shares. Rank 0 says which, and on what; see rank_rows.cpp.
enum class RowErrand : std::uint32_t { read, load, take, save, marks, ranges, columns, crew, forget };
inline constexpr std::uint32_t row_errands = 9;

class RowFiles {
 public:
  /// Does an errand, as every rank does at the same time (rank_crew.hpp).
  std::string run(Team& team, SavedReader& words, std::vector<Held>& parties);

  /// At rank 0, for the errand that comes next: rows that are to be spread, and who visits columns.
  const Samples* spreads = nullptr;
  const RowSet::Visit* visits = nullptr;

 private:
  const RowsByRank& share(std::uint64_t set) const;
  std::string put(Together& together, std::uint64_t set, Samples rows);
  std::string read(Team& team, std::uint64_t set, SavedReader& words);
  std::string load(Team& team, std::uint64_t set, SavedReader& words);
  std::string take(Team& team, std::uint64_t set);
  std::string save(Team& team, std::uint64_t set, SavedReader& words) const;
  std::string marks(std::uint64_t set, SavedReader& words) const;
  std::string columns(Team& team, std::uint64_t set) const;
  std::string crew(Team& team, std::uint64_t set, SavedReader& words, std::vector<Held>& parties) const;

  std::map<std::uint64_t, RowsByRank> shares_;
};

}  // namespace tacit
