#include "tacit/link/convening.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "tacit/base/error.hpp"
#include "tacit/link/hello.hpp"
#include "tacit/link/signed_run.hpp"

namespace tacit {
namespace {

using namespace std::chrono_literals;
constexpr std::size_t most_deferred = 256;
constexpr std::size_t most_deferred_bytes = 256u << 20;
constexpr std::size_t remembered_cancellations = 256;

}  // namespace

Convening::Convening(const NodeOptions& options, Outside& outside, unsigned seed)
    : options_(options), outside_(outside), jitter_(seed) {}

void Convening::ask(std::uint64_t request, Request what, Quorum quorum) {
  if (closed_) return outside_.failed(request, *closed_);
  const Time now = outside_.now();
  asks_.push_back(
      {request, std::move(what), quorum, outside_.calendar(), now + options_.timeouts.queue, now});
  announce_next();
}

void Convening::announce_next() {
  if (pending_ || running_ || asks_.empty() || outside_.now() < asks_.front().not_before) return;
  const Ask& ask = asks_.front();
  Run run{.name = random_name(),
          .originator = options_.self,
          .number = std::max(outside_.last_of(options_.self) + 1, outside_.calendar()),
          .ticket = ask.ticket,
          .request = ask.what,
          .present = {}};
  const Consent own = outside_.consent(run);
  if (own.word != Consent::Word::yes)
    return give_up(
        fmt::format("{} asks but does not take part: {}", who(options_, options_.self), own.reason));
  const wire::Header header = announcement_of(run, options_);
  pending_ = Pending{.run = std::move(run),
                     .parent = {},
                     .takes_part = true,
                     .told = {},
                     .unanswered = {},
                     .answer = {},
                     .answered = false,
                     .deadline = outside_.now() + options_.timeouts.gather};
  pending_->answer.add_ready(options_.self);
  outside_.expect(pending_->run);
  spread(header, pending_->run.request.body, std::nullopt);
  answer_when_complete();
}

// Passes an announcement on to all neighbours and remembers that they have to answer.
void Convening::spread(const wire::Header& header, std::string_view payload, std::optional<AgentId> except) {
  for (const AgentId j : outside_.neighbours()) {
    if (j == except) continue;
    outside_.send(j, header, payload);
    pending_->told.insert(j);
    pending_->unanswered.insert(j);
  }
}

void Convening::heard(AgentId from, const wire::Header& header, std::string_view payload) {
  if (header.has_announcement()) announcement(from, header, payload);
  if (header.has_answer()) answer(from, header.answer());
  if (header.has_start()) start(from, header.start());
  if (header.has_cancel()) cancel(from, header.cancel());
}

void Convening::announcement(AgentId from, const wire::Header& header, std::string_view payload) {
  Run run = run_from(header.announcement(), payload);
  if (pending_ && pending_->run.name == run.name) return again_announced(from);
  if (!is_signed(header.announcement(), run, options_))
    return refuse(from, run, "the announcement is not signed by the agent that it names");
  if (running_) {
    std::size_t bytes = payload.size();
    for (const Deferred& d : deferred_) bytes += d.payload.size();
    if (run.name != running_name_ && deferred_.size() < most_deferred && bytes < most_deferred_bytes)
      deferred_.push_back({from, header, std::string(payload)});
    return;
  }
  if (std::ranges::count(cancelled_, run.name) > 0) return;  // a cancellation came first, by another route
  if (pending_) {
    wire::Header busy;
    busy.mutable_answer()->set_run(to_field(run.name));
    busy.mutable_answer()->set_busy(pending_->run.ticket);
    return outside_.send(from, std::move(busy), {});
  }
  if (closed_) return refuse(from, run, *closed_);
  if (run.number <= outside_.last_of(run.originator))
    return refuse(from, run, "this agent has already seen this run or a later one of the same originator");
  const Consent consent = outside_.consent(run);
  if (consent.word == Consent::Word::no) return refuse(from, run, consent.reason);
  pending_ = Pending{.run = std::move(run),
                     .parent = from,
                     .takes_part = consent.word == Consent::Word::yes,
                     .told = {},
                     .unanswered = {},
                     .answer = {},
                     .answered = false,
                     .deadline = outside_.now() + options_.timeouts.gather + options_.timeouts.start};
  if (pending_->takes_part) {
    pending_->answer.add_ready(options_.self);
    outside_.expect(pending_->run);
  } else {
    wire::Objection& objection = *pending_->answer.add_objections();
    objection.set_agent(options_.self);
    objection.set_reason(consent.reason);
    objection.set_sits_out(true);
  }
  spread(header, payload, from);
  answer_when_complete();
}

// Neighbours that announce a run to each other have answered each other. One that was not told of it, as it
// counted as lost, and whose link has come up since, is waiting: all it needs to know is that this agent has
// heard of it.
void Convening::again_announced(AgentId from) {
  if (from != pending_->parent && pending_->told.insert(from).second) {
    wire::Header header;
    header.mutable_answer()->set_run(to_field(pending_->run.name));
    outside_.send(from, std::move(header), {});
  }
  pending_->unanswered.erase(from);
  answer_when_complete();
}

void Convening::refuse(AgentId to, const Run& run, const std::string& reason) {
  outside_.log(LogLevel::warning, fmt::format("refused {} requested by {}: {}", run.request.kind,
                                              who(options_, run.originator), reason));
  wire::Header header;
  header.mutable_answer()->set_run(to_field(run.name));
  wire::Objection& objection = *header.mutable_answer()->add_objections();
  objection.set_agent(options_.self);
  objection.set_reason(reason);
  outside_.send(to, std::move(header), {});
}

void Convening::answer(AgentId from, const wire::Answer& said) {
  if (!pending_ || said.run() != to_field(pending_->run.name) || !pending_->unanswered.erase(from)) return;
  wire::Answer& all = pending_->answer;
  all.mutable_ready()->MergeFrom(said.ready());
  all.mutable_objections()->MergeFrom(said.objections());
  if (said.disturbed()) all.set_disturbed(true);
  if (said.has_busy()) all.set_busy(all.has_busy() ? std::min(all.busy(), said.busy()) : said.busy());
  answer_when_complete();
}

void Convening::answer_when_complete() {
  if (pending_->answered) return;
  const bool comes_to_nothing =
      pending_->answer.has_busy() || pending_->answer.disturbed() ||
      std::ranges::any_of(pending_->answer.objections(), [](const auto& o) { return !o.sits_out(); });
  if (!pending_->unanswered.empty() && !comes_to_nothing) return;
  pending_->answered = true;
  if (!pending_->parent) return decide();
  pending_->deadline = outside_.now() + options_.timeouts.gather + options_.timeouts.start;
  wire::Header header;
  *header.mutable_answer() = pending_->answer;
  header.mutable_answer()->set_run(to_field(pending_->run.name));
  outside_.send(*pending_->parent, std::move(header), {});
}

std::vector<AgentId> Convening::absent(const std::vector<AgentId>& ready) const {
  std::vector<AgentId> missing;
  for (AgentId i = 0; i < options_.everybody.size(); ++i)
    if (!std::ranges::binary_search(ready, i)) missing.push_back(i);
  return missing;
}

std::string Convening::names(const std::vector<AgentId>& agents) const {
  std::string text;
  for (const AgentId agent : agents) text += (text.empty() ? "" : ", ") + who(options_, agent);
  return text;
}

// All have answered this agent's announcement.
void Convening::decide() {
  const wire::Answer& all = pending_->answer;
  const auto fatal = std::ranges::find_if(all.objections(), [](const auto& o) { return !o.sits_out(); });
  if (fatal != all.objections().end())
    return give_up(fmt::format("{} refuses: {}", who(options_, fatal->agent()), fatal->reason()));
  if (all.has_busy()) return try_again(all.busy());
  if (all.disturbed()) return try_again(UINT64_MAX);
  std::set<AgentId> ready(all.ready().begin(), all.ready().end());
  std::vector<AgentId>& present = pending_->run.present;
  present.assign(ready.begin(), ready.end());
  std::string missing = names(absent(present));
  for (const auto& objection : all.objections())
    missing += fmt::format("; {} sits out: {}", who(options_, objection.agent()), objection.reason());
  const Quorum& quorum = asks_.front().quorum;
  if (quorum.everybody && present.size() < options_.everybody.size())
    return give_up(fmt::format("all agents must take part, but these do not: {}", missing));
  if (present.size() < quorum.fewest)
    return give_up(fmt::format("only {} agents take part and {} are needed; these do not: {}", present.size(),
                               quorum.fewest, missing));
  if (!missing.empty())
    outside_.log(LogLevel::warning,
                 fmt::format("{} goes on without {}", pending_->run.request.kind, missing));
  const wire::Header header = start_of(pending_->run, options_);
  for (const AgentId j : outside_.neighbours()) outside_.send(j, header, {});
  const Run run = std::move(pending_->run);
  const std::uint64_t request = asks_.front().request;
  asks_.pop_front();
  pending_.reset();
  running_ = true;
  running_name_ = run.name;
  outside_.granted(request, run);
  outside_.start(run);
}

void Convening::start(AgentId from, const wire::Start& said) {
  if (!pending_ || !pending_->parent || said.run() != to_field(pending_->run.name)) return;
  if (!is_signed(said, pending_->run, options_)) {
    outside_.log(LogLevel::error, fmt::format("{} passes on a start that {} has not signed",
                                              who(options_, from), who(options_, pending_->run.originator)));
    return;
  }
  wire::Header header;
  *header.mutable_start() = said;
  for (const AgentId j : outside_.neighbours())
    if (j != from) outside_.send(j, header, {});
  pending_->run.present.assign(said.present().begin(), said.present().end());
  if (!std::ranges::count(pending_->run.present, options_.self)) return drop("this agent was not included");
  if (!pending_->takes_part) {
    outside_.log(LogLevel::error,
                 fmt::format("{} counts this agent in, but it sits out: the run goes on without it",
                             who(options_, pending_->run.originator)));
    return drop("this agent sits out");
  }
  const Run run = std::move(pending_->run);
  pending_.reset();
  running_ = true;
  running_name_ = run.name;
  outside_.start(run);
}

void Convening::cancel(AgentId from, const wire::Cancel& said) {
  remember_cancelled(name_from(said.run()));
  std::erase_if(deferred_, [&](const Deferred& d) { return d.header.announcement().run() == said.run(); });
  if (!pending_ || !pending_->parent || said.run() != to_field(pending_->run.name)) return;
  tell_cancelled(said.run(), from);
  drop("it was withdrawn");
}

void Convening::remember_cancelled(const Name& run) {
  cancelled_.push_back(run);
  if (cancelled_.size() > remembered_cancellations) cancelled_.pop_front();
}

void Convening::tell_cancelled(const std::string& run, std::optional<AgentId> except) {
  wire::Header header;
  header.mutable_cancel()->set_run(run);
  for (const AgentId j : outside_.neighbours())
    if (j != except) outside_.send(j, header, {});
}

// Releases everybody who waits for this agent's announcement.
void Convening::withdraw() {
  tell_cancelled(to_field(pending_->run.name), std::nullopt);
  remember_cancelled(pending_->run.name);
  outside_.forget(pending_->run, "it was withdrawn");
  pending_.reset();
}

void Convening::try_again(std::uint64_t busy) {
  Ask& ask = asks_.front();
  const auto some = [&](auto least, auto most) {
    return std::chrono::milliseconds(
        std::uniform_int_distribution<long>(least.count(), most.count())(jitter_));
  };
  ask.not_before = outside_.now() + (ask.ticket < busy ? some(1ms, 10ms) : some(50ms, 150ms));
  withdraw();
}

void Convening::give_up(const std::string& why) {
  if (pending_) withdraw();
  const std::uint64_t request = asks_.front().request;
  asks_.pop_front();
  outside_.failed(request, why);
}

// Somebody else's run does not start with this agent.
void Convening::drop(const std::string& why) {
  outside_.forget(pending_->run, why);
  pending_.reset();
  announce_next();
}

// A run may start without the agent it was heard from, as the start is flooded, but not without its
// originator.
void Convening::lost(AgentId neighbour) {
  std::erase_if(deferred_, [&](const Deferred& d) { return d.from == neighbour; });
  if (!pending_) return;
  if (pending_->run.originator == neighbour) {
    tell_cancelled(to_field(pending_->run.name), neighbour);
    remember_cancelled(pending_->run.name);
    return drop("the agent that asked for it is lost");
  }
  pending_->told.erase(neighbour);
  if (!pending_->unanswered.erase(neighbour)) return;
  pending_->answer.set_disturbed(true);
  answer_when_complete();
}

void Convening::ended() {
  running_ = false;
  if (!asks_.empty()) asks_.front().not_before = outside_.now();
  std::deque<Deferred> waiting;
  waiting.swap(deferred_);
  std::ranges::stable_sort(waiting, {}, [](const Deferred& d) { return d.header.announcement().ticket(); });
  for (const Deferred& d : waiting) heard(d.from, d.header, d.payload);
  announce_next();
}

Convening::Time Convening::tick() {
  const Time now = outside_.now();
  if (pending_ && now >= pending_->deadline) {
    if (pending_->parent) {
      drop(fmt::format("it did not start within timeouts.gather + timeouts.start = {} ms",
                       (options_.timeouts.gather + options_.timeouts.start).count()));
    } else {
      const std::vector<AgentId> silent(pending_->unanswered.begin(), pending_->unanswered.end());
      give_up(fmt::format("no answer within timeouts.gather = {} ms from {} or agents behind it",
                          options_.timeouts.gather.count(), names(silent)));
    }
  }
  // The oldest are first; one that has been announced no longer waits for its turn.
  const std::ptrdiff_t announced = own_is_pending() ? 1 : 0;
  while (std::ssize(asks_) > announced && now >= asks_[static_cast<std::size_t>(announced)].deadline) {
    const auto at = asks_.begin() + announced;
    const std::uint64_t request = at->request;
    asks_.erase(at);
    outside_.failed(request, fmt::format("its turn did not come within timeouts.queue = {} ms",
                                         options_.timeouts.queue.count()));
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
  if (pending_ && pending_->parent) drop(why);
  while (!asks_.empty()) give_up(why);
}

}  // namespace tacit
