// Own requests: announced, tried again, started or given up.
#include "tacit/link/runs/convening.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "tacit/base/error.hpp"
#include "tacit/link/transport/hello.hpp"

namespace tacit {
namespace {

using namespace std::chrono_literals;
constexpr std::size_t most_disturbances = 16;  // then the way to somebody counts as broken

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
                   .in_the_way = {}});
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
  if (const Consent own = outside_.consent(what->run); own.refusal)
    return give_up({.error = fmt::format("{} asks but does not take part: {}", who(options_, options_.self),
                                         own.log.empty() ? in_words(*own.refusal) : own.log),
                    .refusal = own.refusal,
                    .refused_by = options_.self});
  if (const std::string why = refused_links(ask.roster); !why.empty())  // nobody need wait for that
    return give_up(why + "; a run needs everybody of its roster");
  const Time now = outside_.now();
  pending_ = Pending{.what = what,
                     .way = way_of(*what, std::nullopt),
                     .own = ready(what->digest),
                     .since = now,
                     .deadline = now + options_.timeouts.gather};
  pending_->way.replies[options_.self] = pending_->own;
  outside_.expect(*what);
  spread(pending_->way, *what);
  decide();
}

// Once enough has been heard of this agent's announcement.
void Convening::decide() {
  const Way& way = pending_->way;
  std::optional<std::uint64_t> busy;
  for (const auto& [agent, reply] : way.replies) {
    if (reply.word() == wire::Reply::REFUSES) {
      const Reason reason{static_cast<ReasonCode>(reply.code()), reply.detail()};
      const std::string words = fmt::format("{} refuses: {}", who(options_, agent), in_words(reason));
      const Time when =
          outside_.now() + std::chrono::seconds(std::clamp<std::uint64_t>(reason.detail, 1, 86'400));
      if (reason.code == ReasonCode::must_wait && when < asks_.front().deadline) {
        outside_.log(LogLevel::warning, agent, words);
        asks_.front().in_the_way = words;
        return wait_and_try_again(when);
      }
      return give_up({.error = words, .refusal = reason, .refused_by = agent});
    }
    if (reply.word() != wire::Reply::BUSY) continue;
    busy = std::min(busy.value_or(UINT64_MAX), reply.in_the_way());
    asks_.front().in_the_way = fmt::format("{} was busy with another run", who(options_, agent));
  }
  if (busy) return try_again(*busy);
  if (way.replies.size() == way.roster.size()) return begin();
  if (!way.unanswered.empty()) return;
  if (way.disturbed) return disturbed("the way to " + missing());
  give_up({.error = fmt::format("{}; a run needs everybody of its roster", missing()), .away = away()});
}

// All are ready.
void Convening::begin() {
  Replies replies;
  for (const auto& [agent, reply] : pending_->way.replies) *replies.Add() = reply;  // in the roster's order
  const Agreed agreed = agreed_on(pending_->what->digest, replies, options_.graph.everybody);
  if (const auto cut_off = unreachable(agreed.gathering, options_.self); !cut_off.empty())
    return give_up(
        fmt::format("{} cannot be reached over links that both ends have; see to the links between agents",
                    names(cut_off)));
  flood(start_of(*pending_->what, std::move(replies), options_), std::nullopt);
  const std::shared_ptr<const Announced> what = std::move(pending_->what);
  const std::uint64_t request = asks_.front().request;
  asks_.pop_front();
  pending_.reset();
  running_ = true;
  running_run_ = what->run;
  outside_.granted(request, what->run);
  outside_.start(what->run, agreed);
}

// Those of the roster that have not answered.
std::vector<AgentId> Convening::away() const {
  std::vector<AgentId> away;
  for (const AgentId agent : pending_->way.roster)
    if (!pending_->way.replies.contains(agent)) away.push_back(agent);
  return away;
}

// Members that there can be no link to, as charters or versions differ.
std::string Convening::refused_links(const std::vector<AgentId>& roster) const {
  std::string text;
  for (const AgentId agent : roster)
    if (const std::string refusal = outside_.refusal_of(agent); !refusal.empty())
      text += fmt::format("{}there is no link to {}: {}", text.empty() ? "" : "; ",
                          options_.everybody[agent].name, refusal);
  return text;
}

// "bremen is away (agent 2)". An agent that there can be no link to is there, but of no use.
std::string Convening::missing() const {
  const std::vector<AgentId> missing = away();
  std::vector<AgentId> gone;
  for (const AgentId agent : missing)
    if (outside_.refusal_of(agent).empty()) gone.push_back(agent);
  std::string text = refused_links(missing);
  const auto add = [&](const std::string& words) { text += (text.empty() ? "" : "; ") + words; };
  if (gone.size() == 1)
    add(fmt::format("{} is away (agent {})", options_.everybody[gone[0]].name, gone[0]));
  else if (!gone.empty())
    add(names(gone) + " are away");
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
  const RunOutcome outcome{.error = "it was withdrawn before it began", .withdrawn = true};
  if (at == asks_.begin() && own_is_pending()) {
    give_up(outcome);
  } else {
    asks_.erase(at);
    outside_.failed(request, outcome);
  }
  return true;
}

// Releases everybody who waits for this agent's announcement.
void Convening::withdraw() {
  const wire::Header header = cancel_of(pending_->way.run, pending_->way.digest, options_);
  flood(header, std::nullopt);
  remember_cancelled(header.cancel());
  outside_.forget(pending_->what->run, "it was withdrawn");
  pending_.reset();
}

// Somebody was lost while answers came. The next try finds the others, or nobody in that place.
void Convening::disturbed(const std::string& what) {
  asks_.front().in_the_way = what + " was disturbed";
  if (++asks_.front().disturbances > most_disturbances)
    return give_up(
        fmt::format("{} was disturbed {} times; see to the links between agents", what, most_disturbances));
  try_again(UINT64_MAX);
}

void Convening::try_again(std::uint64_t busy) {
  const auto some = [&](auto least, auto most) {
    return std::chrono::milliseconds(
        std::uniform_int_distribution<long>(least.count(), most.count())(jitter_));
  };
  // Whoever says that it is busy all day gets no flood of announcements in return.
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
    if (pending_->way.parent) {
      const AgentId originator = pending_->way.originator;
      const std::string limit = fmt::format("timeouts.gather + timeouts.start = {} ms",
                                            (options_.timeouts.gather + options_.timeouts.start).count());
      outside_.log(LogLevel::warning, originator,
                   fmt::format("{} announced a {} and neither started nor withdrew it within {}",
                               who(options_, originator), pending_->what->run.request.kind, limit));
      backoff_.failed(originator, now);
      drop("it did not start within " + limit);
    } else {
      give_up({.error = fmt::format(
                   "no answer within timeouts.gather = {} ms: {}; a run needs everybody of its roster",
                   options_.timeouts.gather.count(), missing()),
               .away = away()});
    }
  }
  // The oldest are first; one that has been announced no longer waits for its turn.
  const std::ptrdiff_t announced = own_is_pending() ? 1 : 0;
  while (std::ssize(asks_) > announced && now >= asks_[static_cast<std::size_t>(announced)].deadline) {
    const auto at = asks_.begin() + announced;
    const Ask late = std::move(*at);
    asks_.erase(at);
    outside_.failed(late.request,
                    {.error = fmt::format("its turn did not come within timeouts.queue = {} ms{}",
                                          options_.timeouts.queue.count(),
                                          late.in_the_way.empty() ? "" : "; " + late.in_the_way)});
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
  if (pending_ && pending_->way.parent) drop(why);
  while (!asks_.empty()) give_up(why);
}

}  // namespace tacit
