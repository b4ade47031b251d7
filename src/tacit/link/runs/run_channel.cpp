#include "tacit/link/runs/run_channel.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "tacit/base/error.hpp"
#include "tacit/link/transport/hello.hpp"

namespace tacit {
namespace {

// Limits for messages of one neighbour that were not yet asked for. An honest one is only a few steps ahead.
constexpr std::size_t most_bytes_waiting = 256u << 20;
constexpr std::size_t most_waiting_messages = 100'000;

}  // namespace

RunChannel::RunChannel(const NodeOptions& options, const Announced& what, PayloadPool& pool, Send send)
    : options_(options),
      name_(what.run.name),
      announcement_(what.digest),
      originator_(what.run.originator),
      pool_(pool),
      send_(std::move(send)),
      here_(tacit::neighbourhood(options.graph, options.self)),
      announced_(what.run.roster, options.graph) {
  for (const AgentId j : here_.neighbours)
    if (announced_.takes_part(j)) partners_.push_back(j);
  for (const AgentId j : partners_) neighbours_[j];
}

void RunChannel::begin(Agreed agreed) {
  const std::lock_guard lock(guard_);
  agreed_ = std::move(agreed);
  for (auto& [id, neighbour] : neighbours_)
    for (auto& [tag, message] : neighbour.messages) message.charge.reset();
}

RunChannel::Neighbour& RunChannel::neighbour(AgentId id) {
  const auto at = neighbours_.find(id);
  if (at == neighbours_.end())
    throw Error(fmt::format("agent {} is not a neighbour of agent {} in this run", id, here_.self));
  return at->second;
}

void RunChannel::send(AgentId to, const Tag& tag, Payload payload) {
  {
    const std::lock_guard lock(guard_);
    if (neighbour(to).gone) return;  // the message could not arrive
  }
  send_(to, tag, std::move(payload));
}

bool RunChannel::charges(AgentId from) {
  const std::lock_guard lock(guard_);
  return !agreed_ && !neighbour(from).has_begun;
}

void RunChannel::has_begun(AgentId from) {
  const std::lock_guard lock(guard_);
  if (const auto at = neighbours_.find(from); at != neighbours_.end()) at->second.has_begun = true;
}

std::optional<Reason> RunChannel::deliver(AgentId from, const Tag& tag, Payload payload, Charge charge) {
  std::optional<Reason> objection;
  {
    const std::lock_guard lock(guard_);
    Neighbour& sender = neighbour(from);
    const std::size_t size = payload.size();
    if (sender.gone) {
      if (std::exchange(sender.informed, true)) return std::nullopt;
      return sender.gone->reason;
    }
    if (sender.bytes + size > most_bytes_waiting || sender.messages.size() >= most_waiting_messages)
      objection = misbehaves(from, sender,
                             fmt::format("it sent more than it was asked for: {} messages, {} bytes",
                                         sender.messages.size(), sender.bytes + size));
    else if (sender.messages.try_emplace(tag, Message{std::move(payload), std::move(charge)}).second)
      sender.bytes += size;
    else
      objection = misbehaves(from, sender, fmt::format("it sent a message twice: {}", to_string(tag)));
  }
  changed_.notify_one();
  return objection;
}

std::optional<Reason> RunChannel::overflow(AgentId from) {
  std::optional<Reason> objection;
  {
    const std::lock_guard lock(guard_);
    Neighbour& sender = neighbour(from);
    if (sender.gone) return std::nullopt;
    objection = misbehaves(from, sender, "it sent more messages than fit before the run began");
  }
  changed_.notify_one();
  return objection;
}

// Returns what the neighbour itself receives. The guard must be held.
std::optional<Reason> RunChannel::misbehaves(AgentId from, Neighbour& sender, const std::string& how) {
  sender.gone = Gone{how, {ReasonCode::misbehaved, from}};
  sender.informed = true;
  return Reason{ReasonCode::overflowed};
}

void RunChannel::lose(AgentId id, Gone gone) {
  {
    const std::lock_guard lock(guard_);
    const auto at = neighbours_.find(id);
    if (at == neighbours_.end() || at->second.gone) return;
    at->second.informed = gone.quit.has_value();
    at->second.gone = std::move(gone);
  }
  changed_.notify_one();
}

bool RunChannel::is_about_this(const wire::Quit& quit, AgentId from) const {
  std::optional<Digest> start;
  {
    const std::lock_guard lock(guard_);
    if (agreed_) start = agreed_->start;
  }
  const auto takes_part = [&](AgentId agent) { return agent == here_.self || announced_.takes_part(agent); };
  if (!takes_part(from) || !takes_part(quit.author()) || quit.author() == here_.self) return false;
  return (start && is_signed(quit, *start, options_)) || is_signed(quit, announcement_, options_) ||
         (quit.author() == from && is_signed(quit, bound_to_name(name_), options_));
}

std::vector<AgentId> RunChannel::heard_from() const {
  const std::lock_guard lock(guard_);
  std::vector<AgentId> senders;
  for (const auto& [id, neighbour] : neighbours_)
    if (!neighbour.messages.empty()) senders.push_back(id);
  return senders;
}

Digest RunChannel::bound() const {
  const std::lock_guard lock(guard_);
  return agreed_ ? agreed_->start : announcement_;
}

void RunChannel::stop(const std::string& why, Reason reason) {
  {
    const std::lock_guard lock(guard_);
    if (!stopped_) stopped_ = Stopped{why, reason};
  }
  changed_.notify_one();
}

std::optional<Reason> RunChannel::stopped() const {
  const std::lock_guard lock(guard_);
  return stopped_ ? std::optional(stopped_->reason) : std::nullopt;
}

std::optional<RunChannel::Cause> RunChannel::cause() const {
  const std::lock_guard lock(guard_);
  return cause_;
}

void RunChannel::take(Neighbour& from, std::map<Tag, Message>::iterator at, Payload& message) {
  message = std::move(at->second.payload);
  from.bytes -= message.size();
  from.messages.erase(at);
}

bool RunChannel::try_receive(AgentId from, const Tag& tag, Payload& message) {
  const std::lock_guard lock(guard_);
  Neighbour& sender = neighbour(from);
  const auto at = sender.messages.find(tag);
  if (at == sender.messages.end()) return false;
  take(sender, at, message);
  return true;
}

bool RunChannel::wait(AgentId from, const Tag& tag, Incoming& incoming, std::coroutine_handle<> protocol) {
  const std::lock_guard lock(guard_);
  neighbour(from);
  wanted_ = Wanted{from, tag, &incoming};
  waiting_ = protocol;
  return true;
}

// Gives the protocol the message that it waits for, or reports that the message will not arrive. False if
// neither is possible yet. A run cannot continue once an agent has left it, so a departure always counts. The
// guard must be held.
bool RunChannel::fill() {
  Neighbour& sender = neighbour(wanted_->from);
  if (const auto at = sender.messages.find(wanted_->tag); at != sender.messages.end()) {
    take(sender, at, wanted_->incoming->message);
    return true;
  }
  if (sender.gone) {
    report(wanted_->from, *sender.gone);
    return true;
  }
  const auto left = std::ranges::find_if(
      neighbours_, [](const auto& one) { return one.second.gone && one.second.gone->quit; });
  if (left == neighbours_.end()) return false;
  report(left->first, *left->second.gone);
  return true;
}

void RunChannel::report(AgentId neighbour, Gone gone) {
  wanted_->incoming->lost = gone.why;
  cause_ = Cause{neighbour, std::move(gone)};
}

void RunChannel::run_to_end(std::coroutine_handle<> outermost) {
  for (std::coroutine_handle<> next = outermost;;) {
    next.resume();
    if (outermost.done()) return;
    std::unique_lock lock(guard_);
    const auto deadline = options_.clock->now() + options_.timeouts.silence;
    while (!stopped_ && !fill()) {
      const auto left = deadline - options_.clock->now();
      changed_.wait_for(lock, std::min<AwakeClock::Span>(left, AwakeClock::beat));
      if (options_.clock->now() >= deadline && !stopped_ && !fill()) {
        report(wanted_->from, {fmt::format("it sent nothing for timeouts.silence = {} ms",
                                           options_.timeouts.silence.count()),
                               {ReasonCode::lost_agent, wanted_->from}});
        break;
      }
    }
    if (stopped_) throw Error(stopped_->why);
    wanted_.reset();
    next = std::exchange(waiting_, {});
  }
}

}  // namespace tacit
