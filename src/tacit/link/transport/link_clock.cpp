// The timers of a link.
#include <fmt/format.h>

#include <algorithm>

#include "tacit/link/transport/hello.hpp"
#include "tacit/link/transport/link.hpp"

namespace tacit {

bool Link::dialling() const {
  return std::ranges::any_of(talks_, [](const auto& t) { return t.second.dialled; });
}

// When tick() is due next, in the current state.
Link::Clock::time_point Link::next_due() const {
  auto due = Clock::time_point::max();
  if (stopped_) return due;
  for (const auto& [stream, talk] : talks_)
    if (&talk != current_ && !talk.closing) due = std::min(due, talk.since + options_.timeouts.handshake);
  if (current_) {
    if (current_->urgent.size() < most_urgent) due = std::min(due, next_ping_);
    if (received_ != reported_received_ && current_->urgent.empty()) due = std::min(due, acknowledge_by_);
  } else {
    if (!status_.lost) due = std::min(due, down_since_ + options_.timeouts.loss);
    if (channel_ && !dialling()) due = std::min(due, next_dial_);
  }
  return due;
}

// The caller of tick() must know when tick() is due earlier than it returned.
void Link::announce_due() {
  const Clock::time_point due = next_due();
  if (due >= announced_due_) return;
  announced_due_ = due;
  listener_.due_earlier();
}

Link::Clock::time_point Link::tick() {
  const std::lock_guard lock(guard_);
  const Clock::time_point now = options_.clock->now();
  if (!stopped_) run_due(now);
  return announced_due_ = next_due();
}

void Link::run_due(Clock::time_point now) {
  for (auto& [stream, talk] : talks_)
    if (&talk != current_ && !talk.closing && now >= talk.since + options_.timeouts.handshake)
      close(talk, Stream::Closing::now);
  if (current_) {
    if (received_ != reported_received_ && current_->urgent.empty() && now >= acknowledge_by_)
      current_->urgent.emplace_back();
    if (now >= next_ping_ && current_->urgent.size() < most_urgent) {
      next_ping_ = now + options_.timeouts.keepalive;
      wire::Header header;
      header.mutable_ping()->set_time(now_in_nanoseconds());
      current_->urgent.push_back(std::move(header));
    }
    return pump(*current_);
  }
  if (now >= down_since_ + options_.timeouts.loss && !status_.lost) {
    status_.lost = true;
    drop_all_but(nullptr);
    peer_boot_.reset();
    boot_ = random_name();  // if the neighbour returns, this shows it that it was lost
    log_.write(LogLevel::warning, fmt::format("{} is lost: no link for timeouts.loss = {} ms",
                                              who(options_, peer_), options_.timeouts.loss.count()));
    listener_.lost(peer_);
  }
  if (!channel_ || dialling() || now < next_dial_) return;
  next_dial_ = now + redial_after;
  send_hello(begin(dial(channel_, *this), true));
}

}  // namespace tacit
