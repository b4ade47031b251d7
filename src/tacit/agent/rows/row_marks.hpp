// How rows are told apart and remembered without being kept: by salted digests, which tell nothing to whoever
// does not have the agent's state folder.
#pragma once

#include <array>
#include <cstdint>
#include <deque>
#include <filesystem>
#include <span>
#include <string>
#include <vector>

#include "tacit/table/row_blocks.hpp"

namespace tacit {

/// Read from the state folder, or made there; wiped when it is no longer needed. Throws InputError when the
/// file was damaged.
class RowSalt {
 public:
  explicit RowSalt(const std::filesystem::path& folder);
  /// One that was read elsewhere.
  explicit RowSalt(std::span<const std::byte, 32> bytes);
  ~RowSalt();
  RowSalt(const RowSalt&) = delete;
  std::span<const std::byte> bytes() const { return bytes_; }

 private:
  std::array<std::byte, 32> bytes_{};
};

/// A number for each row, sorted.
using RowMarks = std::vector<std::uint64_t>;
RowMarks marks_of(const Samples& rows, const RowSalt& salt);

/// From one set of rows to another, whatever their order.
struct RowChanges {
  std::size_t came = 0, went = 0;
  bool any() const { return came + went > 0; }
  /// A row that was corrected is one that went and one that came, and one patient: so the larger counts.
  std::size_t least() const { return came > went ? came : went; }
};
RowChanges between(const RowMarks& before, const RowMarks& after);

/// "3 rows came and 1 row went".
std::string in_words(const RowChanges& changes);

/// A snapshot that may have been learnt from.
struct PastSnapshot {
  std::string layout;    ///< what its columns mean
  std::string part;      ///< the rows, or those held out
  std::string taken_at;  ///< UTC
  RowMarks marks;
};

/// All of an agent's; the oldest are forgotten when there are too many rows in them.
class SnapshotHistory {
 public:
  /// Throws InputError when the file was damaged.
  explicit SnapshotHistory(std::filesystem::path file);
  const std::deque<PastSnapshot>& all() const { return all_; }
  void add(PastSnapshot past);
  void save() const;

 private:
  const std::filesystem::path file_;
  std::deque<PastSnapshot> all_;  // the oldest first
};

}  // namespace tacit
