#include "tacit/agent/work/policy.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <functional>

#include <nlohmann/json.hpp>

#include "tacit/base/error.hpp"
#include "tacit/base/system/files.hpp"
#include "tacit/base/system/release.hpp"

namespace tacit {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::uint64_t policy_format = 1;  // of the file of counts

std::string unit_of(RequestKind kind) {
  return kind == RequestKind::predict ? "predictions" : to_string(kind) + " requests";
}

bool lists(const std::vector<std::string>& names, const std::string& who) {
  return std::any_of(names.begin(), names.end(),
                     [&](const std::string& name) { return name == "*" || name == who; });
}

}  // namespace

Policy::Days Policy::utc_today() {
  return std::chrono::floor<std::chrono::days>(std::chrono::system_clock::now());
}

Policy::Policy(PolicyRules rules, std::string owner, std::filesystem::path file, Clock today)
    : rules_(std::move(rules)),
      owner_(std::move(owner)),
      file_(std::move(file)),
      today_(std::move(today)),
      day_(today_()) {
  if (!std::filesystem::exists(file_)) return;
  try {
    const Json json = Json::parse(read_whole(file_, 1 << 22));
    check_format(file_.string(), json.value("format", policy_format), policy_format);
    const Days then{std::chrono::days(json.at("day").get<int>())};
    // Setting the clock back must not restore a day's limit.
    day_ = std::max(day_, then);
    if (then != day_) return;
    for (const Json& one : json.at("used"))
      written_[{parse_request_kind(one.at("kind").get<std::string>()), one.at("agent").get<std::string>()}] =
          one.at("count").get<std::uint64_t>();
    used_ = written_;
  } catch (const NewerFormat&) {
    throw;
  } catch (const std::exception&) {  // not JSON, or not of this shape
    fault_ = fmt::format(
        "{}: the request counts are damaged, so other agents have nothing left of any daily limit; remove "
        "the file to start from 0, then restart the agent",
        file_.string());
    used_.clear();
    written_.clear();
  }
}

Policy::~Policy() {
  const std::lock_guard lock(guard_);
  if (used_ == written_) return;
  try {
    save(used_);  // releases what was written ahead but not used
  } catch (const Error&) {
    // The counts in the file are higher, which is safe.
  }
}

void Policy::save(const std::map<Key, std::uint64_t>& counts) const {
  Json json{{"format", policy_format}, {"day", day_.time_since_epoch().count()}, {"used", Json::array()}};
  for (const auto& [key, count] : counts)
    json["used"].push_back({{"kind", to_string(key.first)}, {"agent", key.second}, {"count", count}});
  write_whole(file_, json.dump(1) + '\n', 0600);
}

void Policy::forget_yesterday() {
  const Days now = today_();
  if (now <= day_) return;
  day_ = now;
  used_.clear();
  written_.clear();
}

std::uint64_t Policy::used(const Key& key) const {
  if (today_() > day_) return 0;
  const auto found = used_.find(key);
  return found == used_.end() ? 0 : found->second;
}

std::optional<std::uint64_t> Policy::left(const std::string& who, RequestKind kind) const {
  const std::lock_guard lock(guard_);
  const auto limit = rules_.a_day.find(kind);
  if (limit == rules_.a_day.end() || who == owner_) return std::nullopt;
  return fault_.empty() ? limit->second - std::min(limit->second, used({kind, who})) : 0;
}

std::optional<Objection> Policy::objection(const std::string& who, RequestKind kind,
                                           std::uint64_t amount) const {
  if (who == owner_) return std::nullopt;
  const auto may = rules_.may.find(kind);
  if (may == rules_.may.end() || !lists(may->second, who))
    return Objection{
        {ReasonCode::may_not_ask},
        fmt::format("the policy of {} does not allow {} requests from {}", owner_, to_string(kind), who)};
  const auto remaining = left(who, kind);
  if (remaining && amount > *remaining)
    return Objection{{ReasonCode::limit_reached, *remaining},
                     fmt::format("the policy of {} allows {} {} {} per day (remaining: {}, requested: {})",
                                 owner_, who, rules_.a_day.at(kind), unit_of(kind), *remaining, amount)};
  return std::nullopt;
}

std::optional<Objection> Policy::objection_without(const std::string& whom) const {
  if (lists(rules_.without, whom)) return std::nullopt;
  return Objection{
      {ReasonCode::not_without},
      fmt::format("the policy of {} does not allow a fit without {} (policy.without)", owner_, whom)};
}

std::optional<Objection> Policy::objection_opened(const OpenedCount& so_far, std::uint64_t more) const {
  const double most = rules_.most_opened * static_cast<double>(so_far.held);
  if (so_far.held == 0 || static_cast<double>(so_far.opened + more) < most) return std::nullopt;
  const std::string would = more > 0 ? fmt::format(", and this fit would open {} more", more) : "";
  return Objection{
      {ReasonCode::opened_enough, so_far.opened},
      fmt::format("fits on the rows of {} have opened {} numbers in total{}; its policy allows {:.0f} "
                  "({:g} times the {} that the rows of all agents hold, policy.most_opened). {}",
                  owner_, so_far.opened, would, most, rules_.most_opened, so_far.held,
                  more > 0 ? "Use fewer landmarks, or fit again when its rows have changed"
                           : "No fit is possible until its rows have changed")};
}

void Policy::charge(const std::string& who, RequestKind kind, std::uint64_t amount) {
  if (const auto why = objection(who, kind, amount)) throw InputError(why->words);
  const auto limit = rules_.a_day.find(kind);
  if (limit == rules_.a_day.end() || who == owner_) return;
  const std::lock_guard lock(guard_);
  forget_yesterday();
  const Key key{kind, who};
  const std::uint64_t now = used(key) + amount;
  if (now > written_[key]) {
    auto ahead = written_;
    const std::uint64_t step = std::max<std::uint64_t>(1, limit->second / 100);
    ahead[key] = std::min(limit->second, (now + step - 1) / step * step);
    save(ahead);
    written_ = std::move(ahead);
  }
  used_[key] = now;
}

std::size_t Policy::fewest() const { return std::max<std::size_t>(3, rules_.fewest); }

}  // namespace tacit
