// The owner's policy: who may ask this agent to take part in what, how often, and on how many agents' data.
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
  /// Names of agents that may ask, by kind; "*" is every agent of the charter. Nobody may ask for a kind that
  /// is not listed.
  std::map<RequestKind, std::vector<std::string>> may = {
      {RequestKind::fit, {"*"}}, {RequestKind::predict, {"*"}}, {RequestKind::evaluate, {"*"}}};
  /// The limit for each asking agent in a day (UTC), by kind: points for predict, runs for the others. A kind
  /// that is not listed has no limit.
  std::map<RequestKind, std::uint64_t> a_day = {};
  /// The fewest agents whose data an answer may rest on. Fewer than three are always refused.
  std::size_t fewest = 3;
  /// Members that a fit may go without, by name; "*" is any. Nobody by default: a fit with and one without
  /// somebody can be subtracted from one another.
  std::vector<std::string> without = {};
  /// What fits on the same rows may open together, as a share of the numbers that the rows of all agents
  /// hold. Nobody is excepted, as everybody gets to see the numbers.
  double most_opened = 1;
  /// A new snapshot of the rows is taken when so many came or went; see snapshot.hpp.
  std::size_t fewest_new_rows = 25;
};

/// Why the owner does not allow something: a code for peers, words for the owner's own people.
struct Objection {
  Reason reason;
  std::string words;
};

/// Judges requests, and counts them in a file that is always consistent. Counts survive restarts: they are
/// written before they are used up, in steps of a hundredth of the limit, so that a crash loses a hundredth
/// of a day's limit at most, and never gives anything twice. Safe to call from several threads.
class Policy {
 public:
  using Days = std::chrono::sys_days;
  using Clock = std::function<Days()>;

  /// `owner` may ask its own agent without limit. Throws InputError for a damaged file.
  Policy(PolicyRules rules, std::string owner, std::filesystem::path file, Clock today = &utc_today);
  ~Policy();
  Policy(const Policy&) = delete;

  /// Why `who` may not have this `amount` now; nothing if it may.
  std::optional<Objection> objection(const std::string& who, RequestKind kind, std::uint64_t amount) const;

  /// Why a fit may not go without `whom`. The owner's own fits are no exception.
  std::optional<Objection> objection_without(const std::string& whom) const;

  /// Why there may be no further fit on rows that fits have opened this much of, or none that opens this many
  /// more.
  std::optional<Objection> objection_opened(const OpenedCount& so_far, std::uint64_t more = 0) const;

  /// Counts it. Throws InputError with the objection if there is one, Error if the file cannot be written.
  void charge(const std::string& who, RequestKind kind, std::uint64_t amount);

  /// What `who` has left today; nothing if there is no limit.
  std::optional<std::uint64_t> left(const std::string& who, RequestKind kind) const;

  /// The fewest agents for an answer: the owner's, and never fewer than three.
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
  mutable std::mutex guard_;
  Days day_;
  std::map<Key, std::uint64_t> used_;     // today
  std::map<Key, std::uint64_t> written_;  // in the file; never less
};

}  // namespace tacit
