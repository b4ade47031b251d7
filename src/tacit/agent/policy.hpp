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

#include "tacit/agent/request_kind.hpp"

namespace tacit {

struct PolicyRules {
  /// By kind: names of agents that may ask, or "*" for all of the charter; a kind that is not here nobody may
  /// ask for.
  std::map<RequestKind, std::vector<std::string>> may = {
      {RequestKind::fit, {"*"}}, {RequestKind::predict, {"*"}}, {RequestKind::evaluate, {"*"}}};
  /// By kind, for every agent that asks, in a day (UTC): points of predict, runs of the others; none is no
  /// limit.
  std::map<RequestKind, std::uint64_t> a_day = {};
  std::size_t fewest =
      3;  ///< agents whose data an answer rests on; fewer than three are refused whatever this says
};

/// Judges requests, and counts them in a file that is always whole. Counts survive restarts: they are written
/// before they are used up, in steps of a hundredth of the limit, so that a crash loses a hundredth of a
/// day's limit at most, and never gives anything twice. Safe to call from several threads.
class Policy {
 public:
  using Days = std::chrono::sys_days;
  using Clock = std::function<Days()>;

  /// `owner` asks its own agent as much as it likes. Throws InputError for a file that was changed or cut
  /// off.
  Policy(PolicyRules rules, std::string owner, std::filesystem::path file, Clock today = &utc_today);
  ~Policy();
  Policy(const Policy&) = delete;

  /// Why `who` may not have `amount` of this now; nothing when it may.
  std::optional<std::string> objection(const std::string& who, RequestKind kind, std::uint64_t amount) const;

  /// Counts it. Throws InputError with the objection when there is one, Error when the file cannot be
  /// written.
  void charge(const std::string& who, RequestKind kind, std::uint64_t amount);

  /// What is left to `who` today; nothing where there is no limit.
  std::optional<std::uint64_t> left(const std::string& who, RequestKind kind) const;

  /// The fewest agents for an answer: the owner's, and never fewer than three.
  std::size_t fewest() const;
  /// Throws InputError when an answer would rest on too few agents' data.
  void check_agents(std::size_t present) const;

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
