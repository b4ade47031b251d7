// The rows that one rank holds for its agent: a share of every set of rows. Rank 0 refers to a set by number.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "tacit/agent/daemon/agent_config.hpp"
#include "tacit/agent/rows/row_set.hpp"
#include "tacit/charter/charter.hpp"
#include "tacit/ranks/shared_rows.hpp"

namespace tacit {

/// An operation that all ranks run on their shares at the same time. Rank 0 chooses it; see rank_rows.cpp.
enum class RowErrand : std::uint32_t { read, load, take, save, digests, ranges, columns, crew, forget };
inline constexpr std::uint32_t row_errands = 9;

class RowFiles {
 public:
  /// Runs an errand; every rank does so at the same time (rank_crew.hpp).
  std::string run(Team& team, SavedReader& words, std::vector<Held>& parties);

  /// On rank 0, input of the next errand: what to read, the rows to distribute, and the visitor of the
  /// columns.
  const AgentConfig* config = nullptr;
  const Charter* charter = nullptr;
  const Samples* spreads = nullptr;
  const RowSet::Visit* visits = nullptr;

 private:
  const RowsByRank& share(std::uint64_t set) const;
  std::string put(JointWork& together, std::uint64_t set, Samples rows);
  std::string read(Team& team, std::uint64_t set, SavedReader& words);
  std::string load(Team& team, std::uint64_t set, SavedReader& words);
  std::string take(Team& team, std::uint64_t set);
  std::string save(Team& team, std::uint64_t set, SavedReader& words) const;
  std::string digests(std::uint64_t set, SavedReader& words) const;
  std::string columns(Team& team, std::uint64_t set) const;
  std::string crew(Team& team, std::uint64_t set, SavedReader& words, std::vector<Held>& parties) const;

  std::map<std::uint64_t, RowsByRank> shares_;
  // On the other ranks, what was parsed last, with its text.
  std::optional<std::pair<std::string, AgentConfig>> read_config_;
  std::optional<std::pair<std::string, Charter>> read_charter_;
};

}  // namespace tacit
