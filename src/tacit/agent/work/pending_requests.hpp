// The requests of this agent's own users that are in progress.
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>

#include "tacit/agent/work/run_handler.hpp"
#include "tacit/link/runs/run.hpp"

namespace tacit {

/// The outcome of a request, as soon as it is known.
class PendingOutcome {
 public:
  void arrive(RunOutcome outcome) {
    const std::lock_guard lock(guard_);
    outcome_ = std::move(outcome);
    if (instead_) instead_(*outcome_);
  }
  /// The client has gone: passes the outcome to `instead`.
  void leave_to(std::function<void(const RunOutcome&)> instead) {
    const std::lock_guard lock(guard_);
    instead_ = std::move(instead);
    if (outcome_) instead_(*outcome_);
  }
  const RunOutcome* outcome() const {
    const std::lock_guard lock(guard_);
    return outcome_ ? &*outcome_ : nullptr;  // it does not change once set
  }

 private:
  mutable std::mutex guard_;
  std::optional<RunOutcome> outcome_;
  std::function<void(const RunOutcome&)> instead_;
};

/// A request in progress that its asker can stop.
class PendingRequest {
 public:
  explicit PendingRequest(const std::function<void(std::uint64_t)>& withdraw) : withdraw_(withdraw) {}

  bool stopped() const { return stopped_; }
  void stop() {
    const std::lock_guard lock(guard_);
    stopped_ = true;
    if (number_) withdraw_(*number_);
  }
  /// Records the number under which the node runs the request.
  void asked(std::uint64_t number) {
    const std::lock_guard lock(guard_);
    number_ = number;
    if (stopped_) withdraw_(number);
  }

 private:
  const std::function<void(std::uint64_t)>& withdraw_;
  std::mutex guard_;
  std::atomic<bool> stopped_ = false;
  std::optional<std::uint64_t> number_;
};

/// The requests in progress, by the names that their askers received.
class PendingRequests {
 public:
  void add(const std::string& name, std::shared_ptr<PendingRequest> one) {
    const std::lock_guard lock(guard_);
    all_[name] = std::move(one);
  }
  void remove(const std::string& name) {
    const std::lock_guard lock(guard_);
    all_.erase(name);
  }
  std::shared_ptr<PendingRequest> find(const std::string& name) const {
    const std::lock_guard lock(guard_);
    const auto at = all_.find(name);
    return at == all_.end() ? nullptr : at->second;
  }

 private:
  mutable std::mutex guard_;
  std::map<std::string, std::shared_ptr<PendingRequest>> all_;
};

/// Adds a request under a random name, and removes it on destruction.
struct NamedRequest {
  NamedRequest(PendingRequests& all, const std::function<void(std::uint64_t)>& withdraw)
      : request(std::make_shared<PendingRequest>(withdraw)), all_(all) {
    all_.add(name, request);
  }
  ~NamedRequest() { all_.remove(name); }
  NamedRequest(const NamedRequest&) = delete;

  const std::string name = random_hex_name();
  const std::shared_ptr<PendingRequest> request;

 private:
  PendingRequests& all_;
};

}  // namespace tacit
