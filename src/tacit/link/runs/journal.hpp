// A record of what an agent sends, written before it is sent, so that the agent never sends two different
// messages under one label. Masks are drawn anew, so a restarted agent cannot repeat a message: it must send
// nothing more in that run. Therefore:
//
// - After a restart, a run that the agent had begun is over for it. The originator numbers its runs in
//   increasing order. The highest number begun is on disk before the first message of the run is sent. A run
//   with this number or a lower one never begins again, whichever agent announces it. Only one number for
//   each originator must be kept, so the journal can be truncated safely.
// - The label and digest of each message are written before it is sent. Within a run, the same label with
//   other bytes is refused. The same bytes again are allowed.
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <mutex>
#include <optional>
#include <span>
#include <utility>

#include "tacit/base/types.hpp"
#include "tacit/link/transport/frame.hpp"
#include "tacit/secrecy/signature.hpp"

namespace tacit {

class Journal {
 public:
  /// Reads the folder, which is created if needed. Throws Error if another process has it open, if a file is
  /// damaged other than at its end, or if a file cannot be read. If no file can be written, begin() throws.
  Journal(std::filesystem::path folder, std::size_t most_bytes);
  ~Journal();
  Journal(const Journal&) = delete;

  /// The number of the last run of that originator; 0 if there was none.
  std::uint64_t last_of(AgentId originator) const;

  /// Returns when it is on disk. Throws Error unless the number is higher than all before.
  void begin(const Name& run, AgentId originator, std::uint64_t number);

  /// Call it before each message of the last run begun. Throws Error if the label was used with other bytes.
  void sending(AgentId to, const Tag& tag, std::span<const std::byte> bytes);

 private:
  void append(const std::string& entry);
  void rotate();
  void replace_file();
  std::filesystem::path file(const char* name) const { return folder_ / name; }

  const std::filesystem::path folder_;
  const std::size_t most_bytes_;
  mutable std::mutex guard_;
  int lock_ = -1, out_ = -1;
  std::size_t size_ = 0;
  std::map<AgentId, std::uint64_t> last_;
  std::optional<Name> run_;
  std::map<std::pair<Tag, AgentId>, Digest> labels_;  // of the run's last two executions
};

/// Reads the last number of each originator from a journal. Ignores an incomplete entry at the end. Throws
/// Error, with the position, for any other damage.
std::map<AgentId, std::uint64_t> numbers_in(std::span<const std::byte> journal);

/// The same for all files of a journal's folder, which may be missing.
std::map<AgentId, std::uint64_t> read_journal(const std::filesystem::path& folder);

}  // namespace tacit
