// The rows that an agent learns from: a copy, in its state folder, of what its file or database held when the
// snapshot was taken. Two fits whose rows differ by a few patients reveal, by subtraction, sums over these
// few. So a snapshot is replaced only if enough rows were added or removed, compared with every earlier one.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "tacit/agent/rows/row_home.hpp"
#include "tacit/charter/charter.hpp"

namespace tacit {

/// Changes of the source that are not in the snapshot yet.
struct Waiting {
  RowChanges changes;  ///< since the snapshot
  std::string why;     ///< "3 rows were added and 0 rows removed since ...; ..."; empty if none wait
};

/// What an agent learns from, and how its source differs from it.
struct Snapshot {
  Rows rows;
  Samples holdout;
  std::string taken_at;  ///< UTC
  Waiting waiting, holdout_waiting;
  bool replaced = false;           ///< by this call
  std::vector<std::string> words;  ///< actions and their reasons, for the log
};

/// Keeps the snapshot in this folder, or replaces it by these rows. Held-out rows follow the same rule
/// separately. A new snapshot is always taken if the charter has other columns, or if its limits do not allow
/// the old rows. Rows on several ranks are stored in one file per rank, beside snapshot.tacit; any number of
/// ranks can read them. Throws InputError if the folder's files are damaged.
Snapshot settle_rows(const std::filesystem::path& folder, const Charter& charter, Rows rows, Samples holdout,
                     std::size_t fewest, RowHome& home = home_here());

/// Returns a salted digest that identifies these rows. It is stable while the folder exists, and reveals
/// nothing without the folder.
std::string name_of_rows(const std::filesystem::path& folder, const RowSet& rows);

}  // namespace tacit
