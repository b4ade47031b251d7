#include "tacit/link/run_channel.hpp"

#include <fmt/format.h>

#include "tacit/base/error.hpp"
#include "tacit/link/hello.hpp"

namespace tacit {
namespace {

// From one neighbour, not asked for yet. An honest one is at most a few steps ahead.
constexpr std::size_t most_waiting_bytes = 512u << 20;
constexpr std::size_t most_waiting_messages = 100'000;

}  // namespace

RunChannel::RunChannel(const NodeOptions& options, PayloadPool& pool, Send send)
    : options_(options),
      pool_(pool),
      send_(std::move(send)),
      here_(tacit::neighbourhood(options.graph, options.self)) {
  for (const AgentId j : here_.neighbours) neighbours_[j];
}

RunChannel::Neighbour& RunChannel::neighbour(AgentId id) {
  const auto at = neighbours_.find(id);
  if (at == neighbours_.end())
    throw Error(fmt::format("agent {} is not a neighbour of agent {}", id, here_.self));
  return at->second;
}

const IdentityKey& RunChannel::identity_of(AgentId agent) {
  if (agent >= options_.everybody.size()) throw Error(fmt::format("there is no agent {}", agent));
  return options_.everybody[agent].identity;
}

void RunChannel::send(AgentId to, const Tag& tag, Payload payload) {
  {
    const std::lock_guard lock(guard_);
    if (neighbour(to).gone) return;  // nobody is there to hear it
  }
  send_(to, tag, std::move(payload));
}

std::optional<std::string> RunChannel::deliver(AgentId from, const Tag& tag, Payload payload) {
  std::optional<std::string> objection;
  {
    const std::lock_guard lock(guard_);
    Neighbour& sender = neighbour(from);
    const std::size_t size = payload.size();
    if (sender.gone) {
      if (std::exchange(sender.told, true)) return std::nullopt;
      return sender.gone;
    }
    const bool room =
        sender.bytes + size <= most_waiting_bytes && sender.messages.size() < most_waiting_messages;
    if (!room) {
      objection = fmt::format("it sent more than was asked for: {} messages, {} bytes",
                              sender.messages.size(), sender.bytes + size);
    } else if (sender.messages.try_emplace(tag, Message{++arrivals_, std::move(payload)}).second) {
      sender.bytes += size;
    } else {
      objection = fmt::format("it sent twice: {}", to_string(tag));
    }
    sender.gone = objection;
    sender.told = objection.has_value();
  }
  changed_.notify_one();
  return objection;
}

void RunChannel::lose(AgentId id, const std::string& why) {
  {
    const std::lock_guard lock(guard_);
    Neighbour& lost = neighbour(id);
    if (lost.gone) return;
    lost.gone = why;
  }
  changed_.notify_one();
}

void RunChannel::stop(const std::string& why) {
  {
    const std::lock_guard lock(guard_);
    if (!stopped_) stopped_ = why;
  }
  changed_.notify_one();
}

bool RunChannel::take(Neighbour& from, std::map<Tag, Message>::iterator at, Payload& message) {
  message = std::move(at->second.payload);
  from.bytes -= message.size();
  from.messages.erase(at);
  return true;
}

bool RunChannel::try_receive(AgentId from, const Tag& tag, Payload& message) {
  const std::lock_guard lock(guard_);
  Neighbour& sender = neighbour(from);
  const auto at = sender.messages.find(tag);
  return at != sender.messages.end() && take(sender, at, message);
}

bool RunChannel::wait(AgentId from, const Tag& tag, Incoming& incoming, std::coroutine_handle<> protocol) {
  const std::lock_guard lock(guard_);
  neighbour(from);
  wanted_ = Wanted{from, tag, &incoming, nullptr};
  waiting_ = protocol;
  return true;
}

void RunChannel::wait_any(std::uint32_t run, Event& event, std::coroutine_handle<> protocol) {
  const std::lock_guard lock(guard_);
  if (any_run_ != run) told_gone_.clear();
  any_run_ = run;
  wanted_ = Wanted{0, Tag{run, 0, 0, Step::share}, nullptr, &event};
  waiting_ = protocol;
}

// Gives the protocol what it waits for, if that is there. The guard is held.
bool RunChannel::fill() {
  if (wanted_->any) return fill_any();
  Neighbour& sender = neighbour(wanted_->from);
  const auto at = sender.messages.find(wanted_->tag);
  if (at != sender.messages.end()) return take(sender, at, wanted_->one->message);
  if (!sender.gone) return false;
  wanted_->one->lost = *sender.gone;
  return true;
}

// Messages first, the earliest before others; only then is their sender reported gone.
bool RunChannel::fill_any() {
  const std::uint32_t run = wanted_->tag.run;
  Event& event = *wanted_->any;
  Neighbour* from = nullptr;
  std::map<Tag, Message>::iterator earliest;
  for (auto& [id, sender] : neighbours_)
    for (auto at = sender.messages.lower_bound(Tag{run, 0, 0, Step{}});
         at != sender.messages.end() && at->first.run == run; ++at)
      if (!from || at->second.arrival < earliest->second.arrival) {
        from = &sender;
        earliest = at;
        event.from = id;
      }
  if (from) {
    event.kind = Event::Kind::message;
    event.tag = earliest->first;
    return take(*from, earliest, event.message);
  }
  for (const auto& [id, sender] : neighbours_)
    if (sender.gone && told_gone_.insert(id).second) {
      event.kind = Event::Kind::gone;
      event.from = id;
      event.why = *sender.gone;
      return true;
    }
  return false;
}

void RunChannel::time_is_up() {
  const std::string why =
      fmt::format("nothing came for timeouts.silence = {} ms", options_.timeouts.silence.count());
  if (wanted_->any) {
    wanted_->any->kind = Event::Kind::silence;
    wanted_->any->why = why;
  } else {
    wanted_->one->lost = why;
  }
}

void RunChannel::run_to_end(std::coroutine_handle<> outermost) {
  for (std::coroutine_handle<> next = outermost;;) {
    next.resume();
    if (outermost.done()) return;
    std::unique_lock lock(guard_);
    const auto deadline = std::chrono::steady_clock::now() + options_.timeouts.silence;
    while (!stopped_ && !fill())
      if (changed_.wait_until(lock, deadline) == std::cv_status::timeout && !stopped_ && !fill()) {
        time_is_up();
        break;
      }
    if (stopped_) throw Error(*stopped_);
    wanted_.reset();
    next = std::exchange(waiting_, {});
  }
}

}  // namespace tacit
