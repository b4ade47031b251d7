// The place where an agent's rows are read, stored and computed with: this process, or the ranks of an MPI
// job (rank_rows.hpp).
#pragma once

#include <string>
#include <vector>

#include "tacit/agent/daemon/agent_config.hpp"
#include "tacit/agent/rows/row_set.hpp"
#include "tacit/charter/charter.hpp"

namespace tacit {

/// The rows of a source, with what was found while reading them.
struct FoundRows {
  Rows rows;
  std::size_t dropped = 0;         ///< rows skipped because of a missing cell
  std::vector<std::string> notes;  ///< parts of the source that were ignored
  std::vector<BadSentence> bad;    ///< about cells that the charter does not allow
};

class RowHome {
 public:
  virtual ~RowHome() = default;
  /// Reads the agent's own rows. Throws as read_rows does.
  virtual FoundRows read(const AgentConfig& config, const Charter& charter) = 0;
  /// Reads the files that RowSet::save wrote. Throws InputError if files are missing or damaged.
  virtual Rows kept(const std::filesystem::path& folder, const std::vector<RowFile>& files) = 0;
  /// Distributes rows that are in the memory of this process.
  virtual Rows spread(Samples rows) = 0;
};

/// The home whose rows stay in this process.
RowHome& home_here();

/// Reads a source in this process.
FoundRows found_rows(const RowSource& source, const Charter& charter, const ReadOptions& how);

}  // namespace tacit
