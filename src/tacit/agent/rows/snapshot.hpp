// The rows that an agent learns from. They are a copy, kept in its state folder, of what its file or database
// had when the snapshot was taken. Two fits whose rows differ by a few patients show sums over those few to
// whoever subtracts them; so a snapshot is replaced only when enough rows came or went, seen from every
// snapshot before it.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "tacit/agent/rows/row_home.hpp"
#include "tacit/charter/charter.hpp"

namespace tacit {

/// What the source has besides, and is not learnt from yet.
struct Waiting {
  RowChanges changes;  ///< since the snapshot
  std::string why;     ///< "3 rows came and 0 rows went since ..., and it takes 25"
};

/// What an agent learns from, and how its source differs from that.
struct Snapshot {
  Rows rows;
  Samples holdout;
  std::string taken_at;  ///< UTC
  Waiting waiting, holdout_waiting;
  bool replaced = false;           ///< just now
  std::vector<std::string> words;  ///< what was done and why, for the log
};

/// Keeps the snapshot there is, or takes a new one of these rows, in this folder. Held-out rows are judged by
/// themselves, by the same rule. A charter with other columns, or whose ranges do not hold the old rows,
/// needs a new snapshot in any case. Rows that are spread over ranks are kept in a file for each, beside
/// snapshot.tacit, and any number of ranks can read them. Throws InputError when the folder's files were
/// damaged.
Snapshot settle_rows(const std::filesystem::path& folder, const Charter& charter, Rows rows, Samples holdout,
                     std::size_t fewest, RowHome& home = home_here());

/// Names these rows: the same for the same rows as long as the folder stays, and nothing to whoever does not
/// have the folder.
std::string name_of_rows(const std::filesystem::path& folder, const RowSet& rows);

}  // namespace tacit
