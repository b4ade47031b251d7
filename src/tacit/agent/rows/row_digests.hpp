// Salted digests, which identify rows that are no longer stored. They reveal nothing without the agent's
// state folder.
#pragma once

#include <array>
#include <cstdint>
#include <deque>
#include <filesystem>
#include <span>
#include <string>
#include <vector>

#include "tacit/table/rows/samples.hpp"

namespace tacit {

/// Read from the state folder, or created there. The destructor wipes it. Throws InputError if the file is
/// damaged.
class RowSalt {
 public:
  explicit RowSalt(const std::filesystem::path& folder);
  /// A salt that was read elsewhere.
  explicit RowSalt(std::span<const std::byte, 32> bytes);
  ~RowSalt();
  RowSalt(const RowSalt&) = delete;
  std::span<const std::byte> bytes() const { return bytes_; }

 private:
  std::array<std::byte, 32> bytes_{};
};

/// One number for each row, sorted.
using RowDigests = std::vector<std::uint64_t>;
RowDigests digests_of(const Samples& rows, const RowSalt& salt);

/// Changes between two sets of rows, independent of their order.
struct RowChanges {
  std::size_t came = 0, went = 0;
  bool any() const { return came + went > 0; }
  /// The least number of patients concerned. A corrected row is one removed and one added, but one patient.
  std::size_t least() const { return came > went ? came : went; }
};
RowChanges between(const RowDigests& before, const RowDigests& after);

/// "3 rows were added and 1 row removed".
std::string in_words(const RowChanges& changes);

/// An earlier snapshot, which a fit may have used.
struct PastSnapshot {
  std::string layout;    ///< the meaning of its columns
  std::string part;      ///< the rows or the held-out rows
  std::string taken_at;  ///< UTC
  RowDigests digests;
};

/// The snapshots of an agent. The oldest are dropped if the total number of rows is too large.
class SnapshotHistory {
 public:
  /// Throws InputError if the file is damaged.
  explicit SnapshotHistory(std::filesystem::path file);
  const std::deque<PastSnapshot>& all() const { return all_; }
  void add(PastSnapshot past);
  void save() const;

 private:
  const std::filesystem::path file_;
  std::deque<PastSnapshot> all_;  // oldest first
};

}  // namespace tacit
