// What an agent sends, written down first, so that it never sends two different things under one label. Masks
// are drawn afresh, so an agent that was killed cannot send the same thing again; it must stay silent. Hence:
//
// - A run that an agent has begun is over for it after a restart. Runs are numbered by their originator,
//   numbers only grow, and the highest one begun is on the disk before the first message of the run leaves.
//   A run with this number or a lower one is never begun again, whoever announces it. One number for each
//   originator is all that must be remembered, so the journal can be cut without forgetting.
// - Every message's label and digest is written before it is sent. Within a run, the same label with other
//   bytes is refused; the same bytes again are allowed.
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
  /// Reads what is in the folder, which is created if needed. Throws Error when another process has it open,
  /// when the file is damaged elsewhere than at its end, or cannot be read or written.
  Journal(std::filesystem::path folder, std::size_t most_bytes);
  ~Journal();
  Journal(const Journal&) = delete;

  /// The number of the last run of that originator; 0 when there was none.
  std::uint64_t last_of(AgentId originator) const;

  /// Returns when it is on the disk. Throws Error when the number is not higher than all before.
  void begin(const Name& run, AgentId originator, std::uint64_t number);

  /// Call it before sending a message of the last run begun. Throws Error for a label used with other bytes.
  void sending(AgentId to, const Tag& tag, std::span<const std::byte> bytes);

 private:
  void append(const std::string& entry);
  void rotate();
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

/// What a journal's bytes say: the last number of each originator. An entry cut off at the end is left out.
/// Throws Error, with the place, for anything else that is not an entry.
std::map<AgentId, std::uint64_t> numbers_in(std::span<const std::byte> journal);

}  // namespace tacit
