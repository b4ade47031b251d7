#include "tacit/agent/work/request_counts.hpp"

#include "tacit/agent/work/request_kind.hpp"

namespace tacit {
namespace {

constexpr const char* other = "other";

}  // namespace

RequestCounts::RequestCounts() {
  for (const RequestKind kind : all_request_kinds) kinds_[to_string(kind)];
  for (const char* kind : {"export", other}) kinds_[kind];
}

RequestCount& RequestCounts::of(const std::string& kind) {
  const auto at = kinds_.find(kind);
  return at == kinds_.end() ? kinds_.at(other) : at->second;
}

void RequestCounts::ended(const std::string& kind, const RunOutcome& outcome, const std::string& asker) {
  const std::lock_guard lock(guard_);
  RequestCount& count = of(kind);
  ++(outcome.done ? count.done : outcome.withdrawn ? count.withdrawn : count.failed);
  if (outcome.began) {
    ++count.runs;
    count.seconds += outcome.seconds;
  }
  listener_({.kind = kind,
             .asker = asker,
             .outcome = outcome.done        ? "done"
                        : outcome.withdrawn ? "withdrawn"
                                            : "failed",
             .reason = outcome.done ? "" : outcome.error,
             .seconds = outcome.seconds});
}

void RequestCounts::refused_at_home(const std::string& kind, const std::string& why) {
  const std::lock_guard lock(guard_);
  ++of(kind).refused_home;
  listener_({.kind = kind, .asker = "", .outcome = "refused", .reason = why});
}

void RequestCounts::refused_to_peer(const std::string& kind, const std::string& asker,
                                    const std::string& why) {
  const std::lock_guard lock(guard_);
  ++of(kind).refused_peers;
  listener_({.kind = kind, .asker = asker, .outcome = "refused", .reason = why});
}

void RequestCounts::listen(std::function<void(const EndedRequest&)> listener) {
  const std::lock_guard lock(guard_);
  listener_ = std::move(listener);
}

std::map<std::string, RequestCount> RequestCounts::by_kind() const {
  const std::lock_guard lock(guard_);
  return kinds_;
}

RequestCount RequestCounts::total() const {
  RequestCount all;
  for (const auto& [kind, one] : by_kind()) {
    all.done += one.done;
    all.failed += one.failed;
    all.withdrawn += one.withdrawn;
    all.refused_home += one.refused_home;
    all.refused_peers += one.refused_peers;
    all.runs += one.runs;
    all.seconds += one.seconds;
  }
  return all;
}

}  // namespace tacit
