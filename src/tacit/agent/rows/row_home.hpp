// Where an agent's rows are read, kept and computed with: this process, or the ranks that work for it
// (rank_rows.hpp).
#pragma once

#include <string>
#include <vector>

#include "tacit/agent/daemon/agent_config.hpp"
#include "tacit/agent/rows/row_set.hpp"
#include "tacit/charter/charter.hpp"

namespace tacit {

/// What a source of rows has.
struct FoundRows {
  Rows rows;
  std::size_t dropped = 0;         ///< left out for a missing cell
  std::vector<std::string> notes;  ///< what was passed over
  std::vector<BadSentence> bad;    ///< cells that the charter does not allow
};

class RowHome {
 public:
  virtual ~RowHome() = default;
  /// The agent's own rows. Throws as read_rows does.
  virtual FoundRows read(const AgentConfig& config, const Charter& charter) = 0;
  /// What RowSet::save has kept. Throws InputError when files are missing or damaged.
  virtual Rows kept(const std::filesystem::path& folder, const std::vector<RowFile>& files) = 0;
  /// Rows that came in one piece.
  virtual Rows spread(Samples rows) = 0;
};

/// This process.
RowHome& home_here();

/// A source, in this process.
FoundRows found_rows(const RowSource& source, const Charter& charter, const ReadOptions& how);

}  // namespace tacit
