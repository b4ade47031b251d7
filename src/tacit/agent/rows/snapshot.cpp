#include "tacit/agent/rows/snapshot.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <fstream>
#include <optional>

#include "tacit/agent/daemon/utc.hpp"
#include "tacit/agent/model/model.hpp"
#include "tacit/base/error.hpp"
#include "tacit/base/system/files.hpp"
#include "tacit/gp/saved_file.hpp"
#include "tacit/identity/encoding.hpp"
#include "tacit/secrecy/prg.hpp"

namespace tacit {
namespace {

namespace fs = std::filesystem;

constexpr SavedKind snapshot_kind{
    "tacitsnp", 1, "a snapshot of an agent's rows",
    "restore it from a backup. Fits on this snapshot and on a new one reveal sums over the rows that differ"};

// A snapshot whose rows are in separate files.
constexpr SavedKind parts_kind{"tacitsnl", 1, snapshot_kind.what, snapshot_kind.cure};
const std::string part_stem = "snapshot-";

// The meaning of a row's numbers. Ranges are not part of it.
std::string layout_of(const Charter& charter) {
  std::string text;
  for (const auto* columns : {&charter.inputs, &charter.targets}) {
    for (const Column& column : *columns) {
      text +=
          fmt::format("{} {} {}", in_quotes(column.name), in_quotes(column.start), in_quotes(column.part_of));
      for (const std::string& level : column.levels) text += ' ' + in_quotes(level);
      text += '\n';
    }
    text += '\n';
  }
  return text;
}

bool holds(const Charter& charter, const RowSet& rows) {
  if (rows.rows() == 0) return true;
  if (rows.rows() > charter.protocol.rows) return false;
  const Matrix ranges = rows.ranges();
  Index at = 0;
  for (const auto* columns : {&charter.inputs, &charter.targets})
    for (const Column& column : *columns) {
      if (!column.categorical() && (ranges(0, at) < column.low || ranges(1, at) > column.high)) return false;
      at += column.categorical() ? static_cast<Index>(column.levels.size()) : 1;
    }
  return true;
}

// One of the two parts of a snapshot: the rows, or the held-out rows.
struct Part {
  Rows rows;
  std::string taken_at;
};

struct Kept {
  std::string layout;
  Part rows, holdout;
};

void write(SavedWriter& out, const Part& part) {
  const Samples& rows = *part.rows->here();
  out.text(part.taken_at);
  out.matrix(rows.inputs);
  out.matrix(rows.outputs);
}

Part read_part(SavedReader& in, RowHome& home) {
  std::string taken_at = in.text();
  Matrix inputs = in.matrix();
  return {home.spread({std::move(inputs), in.matrix()}), std::move(taken_at)};
}

// The part's rows are in separate files; writes their names.
void write_files(SavedWriter& out, const Part& part, const std::vector<RowFile>& files) {
  out.text(part.taken_at);
  out.number<std::uint64_t>(files.size());
  for (const RowFile& file : files) {
    out.text(file.name);
    out.number<std::uint64_t>(file.rows);
  }
}

Part read_files(SavedReader& in, const fs::path& folder, RowHome& home) {
  std::string taken_at = in.text();
  std::vector<RowFile> files(in.count(2 * sizeof(std::uint64_t)));
  for (RowFile& file : files) {
    file.name = in.text();
    file.rows = in.number<std::uint64_t>();
    if (!file.name.starts_with(part_stem) || file.name.find('/') != std::string::npos) in.damaged();
  }
  return {home.kept(folder, files), std::move(taken_at)};
}

bool has_files(const fs::path& file) {
  char magic[8] = {};
  std::ifstream(file, std::ios::binary).read(magic, sizeof magic);
  return std::string_view(magic, sizeof magic) == parts_kind.magic;
}

std::optional<Kept> read_kept(const fs::path& file, RowHome& home) {
  if (!fs::exists(file)) return std::nullopt;
  const bool files = has_files(file);
  SavedReader in(files ? parts_kind : snapshot_kind, file);
  Kept kept;
  kept.layout = in.text();
  kept.rows = files ? read_files(in, file.parent_path(), home) : read_part(in, home);
  kept.holdout = read_part(in, home_here());
  in.end();
  return kept;
}

// Removes the files of earlier snapshots, and of one that was interrupted.
void remove_other_files(const fs::path& folder, const std::vector<RowFile>& files) {
  for (const auto& one : fs::directory_iterator(folder)) {
    const std::string name = one.path().filename().string();
    if (name.starts_with(part_stem) &&
        std::ranges::none_of(files, [&](const RowFile& file) { return file.name == name; })) {
      std::error_code ignored;
      fs::remove(one.path(), ignored);
    }
  }
}

// snapshot.tacit is replaced last, so that the folder always has a complete snapshot.
void save(const Kept& kept, const fs::path& file) {
  SavedWriter out;
  out.text(kept.layout);
  std::vector<RowFile> files;
  if (kept.rows.rows->here()) {
    write(out, kept.rows);
  } else {
    std::array<std::byte, 8> name{};
    Prg::from_os().fill(name);
    files = kept.rows.rows->save(file.parent_path(), part_stem + hex(name));
    write_files(out, kept.rows, files);
  }
  write(out, kept.holdout);
  out.save(kept.rows.rows->here() ? snapshot_kind : parts_kind, file);
  remove_other_files(file.parent_path(), files);
}

std::string several(std::size_t n, const char* what) {
  return fmt::format("{} {}{}", n, what, n == 1 ? "" : "s");
}

class Settling {
 public:
  Settling(const fs::path& folder, const Charter& charter, std::size_t fewest)
      : salt_(folder),
        history_(folder / "snapshots.tacit"),
        charter_(charter),
        layout_(layout_of(charter)),
        fewest_(fewest),
        now_(to_text(utc_now())) {}

  // Decides for one part. Returns true if `fresh` replaces the old rows.
  bool part(const char* name, const char* what, const Kept* kept, const Part* old, Part& fresh,
            Waiting& waiting, std::vector<std::string>& words) {
    const RowDigests digests = fresh.rows->digests(salt_);
    if (!old) {
      check_forgotten(name, what, digests);
      const bool any = fresh.rows->rows() > 0;
      return take(name, digests, fresh, words,
                  any ? fmt::format("took a snapshot of {}", sized(fresh, what)) : "");
    }
    if (kept->layout != layout_)
      return take(
          name, digests, fresh, words,
          fmt::format("took a new snapshot of {}: the charter's columns have changed", sized(fresh, what)));
    const RowChanges since = between(old->rows->digests(salt_), digests);
    if (!since.any()) return false;
    if (!holds(charter_, *old->rows))
      return take(name, digests, fresh, words,
                  fmt::format("took a new snapshot of {}: the charter's limits do not allow the old rows",
                              sized(fresh, what)));
    if (const std::string why = too_near(name, digests, since, old->taken_at); !why.empty()) {
      waiting = {since, why};
      words.push_back(fmt::format("kept the snapshot of {}: {}", sized(*old, what), why));
      return false;
    }
    take(name, digests, fresh, words,
         fmt::format("took a new snapshot of {}: since {} {}", sized(fresh, what), old->taken_at,
                     in_words(since)));
    const auto most = old->rows->rows() / 2;
    if (since.came > most && since.went > most)
      words.emplace_back(
          "more than half of the rows were removed and as many added: if these are the same patients in "
          "another format (rounded, in other units), fits on both snapshots reveal sums over the few who "
          "differ");
    return true;
  }

  void save() const { history_.save(); }
  const std::string& layout() const { return layout_; }

 private:
  static std::string sized(const Part& part, const char* what) { return several(part.rows->rows(), what); }

  bool take(const char* name, const RowDigests& digests, Part& fresh, std::vector<std::string>& words,
            std::string report) {
    history_.add({layout_, name, now_, digests});
    fresh.taken_at = now_;
    if (!report.empty()) words.push_back(std::move(report));
    return true;
  }

  struct Near {
    RowChanges changes;
    std::string taken_at;
  };
  // An earlier snapshot, which a fit may have used, that differs by too few rows.
  std::optional<Near> nearest(const char* name, const RowDigests& digests) const {
    for (const PastSnapshot& past : history_.all()) {
      if (past.part != name || past.layout != layout_) continue;
      const RowChanges changes = between(past.digests, digests);
      if (changes.any() && changes.least() < fewest_) return Near{changes, past.taken_at};
    }
    return std::nullopt;
  }

  // The snapshot file is missing, but its row digests are in the history.
  void check_forgotten(const char* name, const char* what, const RowDigests& digests) const {
    if (const auto near = nearest(name, digests))
      throw InputError(
          fmt::format("the state folder has no snapshot.tacit, and the {}s differ too little from an earlier "
                      "snapshot: {} since {}. Fits on both would reveal sums over the rows that differ. "
                      "Restore snapshot.tacit, or remove snapshots.tacit as well to accept this",
                      what, in_words(near->changes), near->taken_at));
  }

  // Why these rows must wait; empty if they may be used.
  std::string too_near(const char* name, const RowDigests& digests, const RowChanges& since,
                       const std::string& taken_at) const {
    if (since.least() < fewest_)
      return fmt::format("{} since {}; a new snapshot requires {} (policy.fewest_new_rows)", in_words(since),
                         taken_at, fewest_);
    if (const auto near = nearest(name, digests))
      return fmt::format(
          "many rows differ from the current snapshot, but only {} since the earlier one of {}, and fits on "
          "both could be subtracted; a new snapshot requires {} (policy.fewest_new_rows)",
          in_words(near->changes), near->taken_at, fewest_);
    return "";
  }

  const RowSalt salt_;
  SnapshotHistory history_;
  const Charter& charter_;
  const std::string layout_;
  const std::size_t fewest_;
  const std::string now_;
};

}  // namespace

Snapshot settle_rows(const fs::path& folder, const Charter& charter, Rows rows, Samples holdout,
                     std::size_t fewest, RowHome& home) {
  const fs::path file = folder / "snapshot.tacit";
  const std::optional<Kept> kept = read_kept(file, home);
  Settling settling(folder, charter, fewest);
  Snapshot snapshot;
  Kept next{settling.layout(), {std::move(rows), {}}, {rows_here(std::move(holdout)), {}}};
  const auto settle = [&](const char* name, const char* what, const Part* old, Part& part, Waiting& waiting) {
    if (settling.part(name, what, kept ? &*kept : nullptr, old, part, waiting, snapshot.words)) return true;
    part = *old;
    return false;
  };
  const bool first = settle("rows", "row", kept ? &kept->rows : nullptr, next.rows, snapshot.waiting),
             second = settle("held out", "held-out row", kept ? &kept->holdout : nullptr, next.holdout,
                             snapshot.holdout_waiting);
  snapshot.replaced = first || second;
  if (snapshot.replaced) {
    settling.save();  // first: without its digests, a snapshot could return unnoticed with three more rows
    save(next, file);
  }
  snapshot.taken_at = next.rows.taken_at;
  snapshot.rows = std::move(next.rows.rows);
  snapshot.holdout = *next.holdout.rows->here();
  return snapshot;
}

std::string name_of_rows(const fs::path& folder, const RowSet& rows) {
  const RowSalt salt(folder);
  return hex(commitment_to(rows, {}, salt.bytes()));
}

}  // namespace tacit
