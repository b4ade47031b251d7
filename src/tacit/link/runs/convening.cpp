// Own requests: announces them, tries again, starts them or reports their failure.
#include "tacit/link/runs/convening.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "tacit/base/error.hpp"
#include "tacit/link/transport/hello.hpp"

namespace tacit {
namespace {

using namespace std::chrono_literals;
constexpr std::size_t most_disturbances = 16;  // then the connection to an agent counts as broken

}  // namespace

Convening::Convening(const NodeOptions& options, Outside& outside, unsigned seed)
    : options_(options), outside_(outside), backoff_(options.timeouts.start), jitter_(seed) {}

void Convening::ask(std::uint64_t request, Request what, std::vector<AgentId> roster) {
  if (closed_) return outside_.failed(request, {.error = *closed_});
  const Time now = outside_.now();
  asks_.push_back({.request = request,
                   .what = std::move(what),
                   .roster = std::move(roster),
                   .ticket = outside_.calendar(),
                   .deadline = now + options_.timeouts.queue,
                   .not_before = now,
                   .tries = 0,
                   .disturbances = 0,
                   .obstacle = {}});
  announce_next();
}

void Convening::announce_next() {
  if (pending_ || running_ || asks_.empty() || outside_.now() < asks_.front().not_before) return;
  const Ask& ask = asks_.front();
  std::shared_ptr<const Announced> what;
  last_number_ = std::max({outside_.last_of(options_.self) + 1, outside_.calendar(), last_number_ + 1});
  try {
    what = std::make_shared<const Announced>(announce({.name = random_name(),
                                                       .originator = options_.self,
                                                       .number = last_number_,
                                                       .ticket = ask.ticket,
                                                       .request = ask.what,
                                                       .roster = ask.roster},
                                                      options_));
  } catch (const InputError& e) {
    return give_up({.bad_input = true, .error = e.what()});
  }
  Consent own = outside_.consent(what->run);
  if (own.refusal)
    return give_up({.error = fmt::format("{} refuses its own request: {}", who(options_, options_.self),
                                         own.log.empty() ? in_words(*own.refusal) : own.log),
                    .refusal = own.refusal,
                    .refused_by = options_.self});
  if (const std::string why = refused_links(ask.roster); !why.empty())  // waiting would not help
    return give_up(why + "; a run needs all agents of its roster");
  const Time now = outside_.now();
  pending_ = Pending{.what = what,
                     .route = route_of(*what, std::nullopt),
                     .own = ready(what->digest),
                     .decoded = std::move(own.decoded),
                     .since = now,
                     .deadline = now + options_.timeouts.gather};
  pending_->route.replies[options_.self] = pending_->own;
  outside_.expect(*what);
  spread(pending_->route, *what);
  decide();
}

// Decides about this agent's announcement, once enough replies have arrived.
void Convening::decide() {
  const Route& route = pending_->route;
  std::optional<std::uint64_t> busy;
  for (const auto& [agent, reply] : route.replies) {
    if (reply.word() == wire::Reply::REFUSES) {
      const Reason reason{static_cast<ReasonCode>(reply.code()), reply.detail()};
      const std::string words = fmt::format("{} refuses: {}", who(options_, agent), in_words(reason));
      const Time when =
          outside_.now() + std::chrono::seconds(std::clamp<std::uint64_t>(reason.detail, 1, 86'400));
      if (reason.code == ReasonCode::must_wait && when < asks_.front().deadline) {
        outside_.log(LogLevel::warning, agent, words);
        asks_.front().obstacle = words;
        return wait_and_try_again(when);
      }
      return give_up({.error = words, .refusal = reason, .refused_by = agent});
    }
    if (reply.word() != wire::Reply::BUSY) continue;
    busy = std::min(busy.value_or(UINT64_MAX), reply.in_the_way());
    asks_.front().obstacle = fmt::format("{} was busy with another run", who(options_, agent));
  }
  if (busy) return try_again(*busy);
  if (route.replies.size() == route.roster.size()) return begin();
  if (!route.unanswered.empty()) return;
  if (route.disturbed) return disturbed(names(away()));
  give_up({.error = fmt::format("{}; a run needs all agents of its roster", missing()), .away = away()});
}

// All agents of the roster are ready.
void Convening::begin() {
  Replies replies;
  for (const auto& [agent, reply] : pending_->route.replies) *replies.Add() = reply;  // in the roster's order
  const Agreed agreed = agreed_on(pending_->what->digest, replies, options_.graph);
  if (const auto cut_off = unreachable(agreed.gathering, options_.self); !cut_off.empty())
    return give_up(
        fmt::format("{} cannot be reached over links that both of their agents report; check the links "
                    "between the agents",
                    names(cut_off)));
  flood(start_of(*pending_->what, std::move(replies), options_), std::nullopt);
  const std::uint64_t request = asks_.front().request;
  asks_.pop_front();
  outside_.granted(request, pending_->what->run);
  start_pending(agreed);
}

// The pending run starts, with its request as this agent decoded it for its consent.
void Convening::start_pending(const Agreed& agreed) {
  RunDescription run = pending_->what->run;
  run.request.decoded = std::move(pending_->decoded);
  pending_.reset();
  running_ = true;
  running_run_ = run;
  running_run_.request = {};
  outside_.start(run, agreed);
}

// The agents of the roster that have not answered.
std::vector<AgentId> Convening::away() const {
  std::vector<AgentId> away;
  for (const AgentId agent : pending_->route.roster)
    if (!pending_->route.replies.contains(agent)) away.push_back(agent);
  return away;
}

// The neighbours in the roster to which a link is refused, because charters or versions differ.
std::string Convening::refused_links(const std::vector<AgentId>& roster) const {
  std::string text;
  for (const AgentId agent : roster)
    if (const std::string refusal = outside_.refusal_of(agent); !refusal.empty())
      text += fmt::format("{}there is no link to {}: {}", text.empty() ? "" : "; ",
                          options_.everybody[agent].name, refusal);
  return text;
}

// "bremen (agent 2) did not answer". An agent to which a link is refused gets its own sentence.
std::string Convening::missing() const {
  const std::vector<AgentId> missing = away();
  std::vector<AgentId> gone;
  for (const AgentId agent : missing)
    if (outside_.refusal_of(agent).empty()) gone.push_back(agent);
  std::string text = refused_links(missing);
  const auto add = [&](const std::string& words) { text += (text.empty() ? "" : "; ") + words; };
  if (gone.size() == 1)
    add(fmt::format("{} (agent {}) did not answer", options_.everybody[gone[0]].name, gone[0]));
  else if (!gone.empty())
    add(names(gone) + " did not answer");
  return text;
}

std::string Convening::names(const std::vector<AgentId>& agents) const {
  std::string text;
  for (const AgentId agent : agents) text += (text.empty() ? "" : ", ") + who(options_, agent);
  return text;
}

bool Convening::take_back(std::uint64_t request) {
  const auto at = std::ranges::find(asks_, request, &Ask::request);
  if (at == asks_.end()) return false;
  const RunOutcome outcome{.error = "the request was withdrawn before its run began", .withdrawn = true};
  if (at == asks_.begin() && own_is_pending()) {
    give_up(outcome);
  } else {
    asks_.erase(at);
    outside_.failed(request, outcome);
  }
  return true;
}

// Releases all agents that wait for the start of this agent's announcement.
void Convening::withdraw() {
  const wire::Header header = cancel_of(pending_->route.run, pending_->route.digest, options_);
  flood(header, std::nullopt);
  remember_cancelled(header.cancel());
  outside_.forget(pending_->what->run, "it was withdrawn");
  pending_.reset();
}

// An agent was lost while answers arrived. The next try reaches the others, or finds that it is gone.
void Convening::disturbed(const std::string& agents) {
  asks_.front().obstacle = fmt::format("the connection to {} was interrupted", agents);
  if (++asks_.front().disturbances > most_disturbances)
    return give_up(
        fmt::format("the connection to {} was interrupted {} times; check the links between the agents",
                    agents, most_disturbances));
  try_again(UINT64_MAX);
}

void Convening::try_again(std::uint64_t busy) {
  const auto some = [&](auto least, auto most) {
    return std::chrono::milliseconds(
        std::uniform_int_distribution<long>(least.count(), most.count())(jitter_));
  };
  // An agent that is busy for a long time must not receive a flood of announcements.
  Ask& ask = asks_.front();
  const std::size_t tries = ++ask.tries;
  const bool first = ask.ticket < busy && tries < 20;
  wait_and_try_again(outside_.now() + (first         ? some(1ms, 10ms)
                                       : tries < 100 ? some(50ms, 150ms)
                                                     : some(500ms, 1500ms)));
}

void Convening::wait_and_try_again(Time when) {
  asks_.front().not_before = when;
  withdraw();
}

void Convening::give_up(const std::string& why) { give_up(RunOutcome{.error = why}); }

void Convening::give_up(RunOutcome outcome) {
  if (pending_) withdraw();
  const std::uint64_t request = asks_.front().request;
  asks_.pop_front();
  outside_.failed(request, std::move(outcome));
}

void Convening::ended(Ending how) {
  running_ = false;
  const AgentId originator = running_run_.originator;
  if (how == Ending::done) backoff_.finished(originator);
  if (how == Ending::left_by_originator && originator != options_.self)
    backoff_.failed(originator, outside_.now());
  if (!asks_.empty()) asks_.front().not_before = outside_.now();
  std::deque<Deferred> waiting;
  waiting.swap(deferred_);
  std::ranges::stable_sort(waiting, {}, [](const Deferred& d) { return d.what->run.ticket; });
  for (Deferred& d : waiting) announced(d.from, std::move(d.what));
  announce_next();
}

Convening::Time Convening::tick() {
  const Time now = outside_.now();
  if (pending_ && now >= pending_->deadline) {
    if (pending_->route.parent) {
      const AgentId originator = pending_->route.originator;
      const std::string limit = fmt::format("timeouts.gather + timeouts.start = {} ms",
                                            (options_.timeouts.gather + options_.timeouts.start).count());
      outside_.log(LogLevel::warning, originator,
                   fmt::format("{} announced a run of kind {} and neither started nor withdrew it within {}",
                               who(options_, originator), pending_->what->run.request.kind, limit));
      backoff_.failed(originator, now);
      drop("it did not start within " + limit);
    } else {
      give_up(
          {.error = fmt::format("timeouts.gather = {} ms expired: {}; a run needs all agents of its roster",
                                options_.timeouts.gather.count(), missing()),
           .away = away()});
    }
  }
  // The oldest come first. A request that was announced does not wait for its turn.
  const std::ptrdiff_t announced = own_is_pending() ? 1 : 0;
  while (std::ssize(asks_) > announced && now >= asks_[static_cast<std::size_t>(announced)].deadline) {
    const auto at = asks_.begin() + announced;
    const Ask late = std::move(*at);
    asks_.erase(at);
    outside_.failed(late.request,
                    {.error = fmt::format("its turn did not come within timeouts.queue = {} ms{}",
                                          options_.timeouts.queue.count(),
                                          late.obstacle.empty() ? "" : "; " + late.obstacle)});
  }
  announce_next();
  return next_due();
}

Convening::Time Convening::next_due() const {
  Time due = Time::max();
  if (pending_) due = pending_->deadline;
  const std::size_t announced = own_is_pending() ? 1 : 0;
  if (asks_.size() > announced) due = std::min(due, asks_[announced].deadline);
  if (!asks_.empty() && !pending_ && !running_) due = std::min(due, asks_.front().not_before);
  return due;
}

void Convening::close(const std::string& why) {
  closed_ = why;
  if (pending_ && pending_->route.parent) drop(why);
  while (!asks_.empty()) give_up(why);
}

}  // namespace tacit
