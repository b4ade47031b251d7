// The owner's policy: which agents may make which requests, how often, and with the data of how many agents.
#pragma once

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <map>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "tacit/agent/model/opened_numbers.hpp"
#include "tacit/agent/work/request_kind.hpp"
#include "tacit/link/runs/reason.hpp"

namespace tacit {

struct PolicyRules {
  /// Names of agents that may make requests, by kind; "*" means every agent of the charter. A kind that is
  /// not listed is refused for all agents.
  std::map<RequestKind, std::vector<std::string>> may = {
      {RequestKind::fit, {"*"}}, {RequestKind::predict, {"*"}}, {RequestKind::evaluate, {"*"}}};
  /// The limit for each asker per day (UTC), by kind: points for predict, runs for the others. A kind that is
  /// not listed has no limit.
  std::map<RequestKind, std::uint64_t> a_day = {};
  /// The fewest agents whose data an answer may use. Fewer than three are always refused.
  std::size_t fewest = 3;
  /// Members that a fit may exclude, by name; "*" means any. None by default: a fit with and a fit without a
  /// member can be subtracted.
  std::vector<std::string> without = {};
  /// How many numbers fits on the same rows may open in total, as a share of the numbers in the rows of all
  /// agents. It applies to every asker, because every agent receives the numbers.
  double most_opened = 1;
  /// A new snapshot is taken once this many rows were added or removed; see snapshot.hpp.
  std::size_t fewest_new_rows = 25;
};

/// Why the policy does not allow something: a code for peers, and words for the owner.
struct Objection {
  Reason reason;
  std::string words;
};

/// Decides on requests, and counts them in a file that is always consistent. Counts survive restarts: they
/// are written ahead, in steps of a hundredth of the limit. So a crash loses at most a hundredth of a day's
/// limit, and never allows anything twice. Safe to call from several threads.
class Policy {
 public:
  using Days = std::chrono::sys_days;
  using Clock = std::function<Days()>;

  /// `owner` may use its own agent without limit. If the file is damaged, no other agent has anything left of
  /// a limit, until the owner corrects that. Throws NewerFormat for a file of a later release.
  Policy(PolicyRules rules, std::string owner, std::filesystem::path file, Clock today = &utc_today);
  ~Policy();
  Policy(const Policy&) = delete;

  /// Why `who` may not have this `amount` now; nullopt if it may.
  std::optional<Objection> objection(const std::string& who, RequestKind kind, std::uint64_t amount) const;

  /// Why a fit may not exclude `whom`; nullopt if it may. The owner's own fits are treated alike.
  std::optional<Objection> objection_without(const std::string& whom) const;

  /// Why rows with this count of opened numbers allow no further fit, or no fit that opens `more` numbers;
  /// nullopt if they do.
  std::optional<Objection> objection_opened(const OpenedCount& so_far, std::uint64_t more = 0) const;

  /// Counts a request. Throws InputError for an objection, and Error if the file cannot be written.
  void charge(const std::string& who, RequestKind kind, std::uint64_t amount);

  /// Why the counts of requests cannot be used; empty if they can.
  const std::string& fault() const { return fault_; }

  /// What `who` has left today; nullopt if there is no limit.
  std::optional<std::uint64_t> left(const std::string& who, RequestKind kind) const;

  /// The fewest agents for an answer: the owner's number, but at least three.
  std::size_t fewest() const;

  static Days utc_today();

 private:
  using Key = std::pair<RequestKind, std::string>;  // kind, who
  std::uint64_t used(const Key& key) const;
  void forget_yesterday();
  void save(const std::map<Key, std::uint64_t>& counts) const;

  const PolicyRules rules_;
  const std::string owner_;
  const std::filesystem::path file_;
  const Clock today_;
  std::string fault_;
  mutable std::mutex guard_;
  Days day_;
  std::map<Key, std::uint64_t> used_;     // today
  std::map<Key, std::uint64_t> written_;  // in the file; never less than used_
};

}  // namespace tacit
