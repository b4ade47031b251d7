// What others announce, answer, start and cancel.
#include <fmt/format.h>

#include <algorithm>

#include "tacit/link/runs/convening.hpp"
#include "tacit/link/transport/hello.hpp"

namespace tacit {
namespace {

constexpr std::ptrdiff_t remembered_cancellations = 32;  // of each author
constexpr std::size_t remembered_refusals = 64;

}  // namespace

void Convening::heard(AgentId from, const wire::Header& header) {
  if (header.has_answer()) answer(from, header.answer());
  if (header.has_start()) start(from, header.start());
  if (header.has_cancel()) cancel(from, header.cancel());
}

Convening::Way Convening::way_of(const Announced& what, std::optional<AgentId> parent) const {
  Way way;
  way.run = what.run.name;
  way.digest = what.digest;
  way.originator = what.run.originator;
  way.number = what.run.number;
  way.roster = what.run.roster;
  way.parent = parent;
  return way;
}

Convening::Way* Convening::find(const std::string& run) {
  if (pending_ && run == to_field(pending_->way.run)) return &pending_->way;
  for (auto& [originator, way] : passed_)
    if (run == to_field(way.run)) return &way;
  return nullptr;
}

// Whose run has this name. Whoever hears of a run knows its name, and must not be able to disturb it by that.
std::optional<AgentId> Convening::owner_of(const Name& run) {
  if (running_ && running_run_.name == run) return running_run_.originator;
  const Way* const way = find(to_field(run));
  return way ? std::optional(way->originator) : std::nullopt;
}

void Convening::announced(AgentId from, std::shared_ptr<const Announced> what) {
  const Run& run = what->run;
  if (const auto owner = owner_of(run.name); owner && *owner != run.originator)
    return outside_.log(LogLevel::error, run.originator,
                        fmt::format("{} has announced a run under the name of one of {}: it is ignored",
                                    who(options_, run.originator), who(options_, *owner)));
  if (pending_ && pending_->way.run == run.name) return again_announced(pending_->way, from, *what);
  if (run.originator == options_.self) return;  // an old one of this agent's own
  if (!std::ranges::binary_search(run.roster, options_.self)) return pass_on(from, *what);
  if (running_) return defer(from, std::move(what));
  if (was_cancelled(*what)) return;  // by another route
  if (pending_) {
    wire::Reply busy;
    busy.set_word(wire::Reply::BUSY);
    busy.set_in_the_way(pending_->what->run.ticket);
    return reply(from, *what, signed_reply(std::move(busy), what->digest, options_));
  }
  if (closed_) return refuse(from, *what, {ReasonCode::stopping}, *closed_);
  const Time now = outside_.now();
  if (const std::uint64_t seconds = backoff_.seconds_left(run.originator, now))
    return refuse(from, *what, {ReasonCode::must_wait, seconds}, {});
  if (run.number <= outside_.last_of(run.originator))
    return refuse(from, *what, {ReasonCode::seen_before}, {});
  if (const Consent consent = outside_.consent(run); consent.refusal)
    return refuse(from, *what, *consent.refusal, consent.log);
  pending_ = Pending{.what = what,
                     .way = way_of(*what, from),
                     .own = ready(what->digest),
                     .since = now,
                     .deadline = now + options_.timeouts.gather + options_.timeouts.start};
  Way& way = pending_->way;
  way.replies[options_.self] = pending_->own;
  outside_.expect(*what);
  const std::vector<AgentId> here = outside_.neighbours();
  if (way.originator != from && std::ranges::binary_search(here, way.originator)) {
    // Not only over others: whoever is between the two could keep it back.
    wire::Header header;
    header.mutable_answer()->set_run(to_field(way.run));
    *header.mutable_answer()->add_replies() = pending_->own;
    outside_.send(way.originator, std::move(header), {});
  }
  spread(way, *what);
  Replies fresh;
  *fresh.Add() = pending_->own;
  report(way, fresh);
}

// This agent takes no part in it; those behind it may.
void Convening::pass_on(AgentId from, const Announced& what) {
  const auto known = passed_.find(what.run.originator);
  if (known != passed_.end() && known->second.run == what.run.name)
    return again_announced(known->second, from, what);
  if (known != passed_.end() && known->second.number >= what.run.number) return;  // old
  Way& way = passed_[what.run.originator] = way_of(what, from);
  spread(way, what);
  report(way, {});
}

// One announcement of each originator: a later one means that the earlier was withdrawn.
void Convening::defer(AgentId from, std::shared_ptr<const Announced> what) {
  if (what->run.name == running_run_.name) return;
  const auto at = std::ranges::find_if(deferred_, [&](const Deferred& d) {
    return d.from == from && d.what->run.originator == what->run.originator;
  });
  if (at == deferred_.end())
    deferred_.push_back({from, std::move(what)});
  else if (at->what->run.number < what->run.number)
    at->what = std::move(what);
}

// Passes an announcement on to all other neighbours and remembers that they have to answer.
void Convening::spread(Way& way, const Announced& what) {
  for (const AgentId j : outside_.neighbours()) {
    if (j == way.parent) continue;
    outside_.send(j, what.header, what.run.request.body);
    way.told.insert(j);
    way.unanswered.insert(j);
  }
}

// Neighbours whose announcements of a run cross have answered each other. One that was not told of it, as it
// counted as lost, or that was told and said no, as it was busy then, and has heard of it from somebody else
// since, is waiting: all it needs to know is that this agent has heard of it.
void Convening::again_announced(Way& way, AgentId from, const Announced& what) {
  if (what.digest != way.digest) {
    // Its signature is under both.
    const std::string words =
        fmt::format("{} has announced two different things as one run", who(options_, what.run.originator));
    outside_.log(LogLevel::error, what.run.originator, words);
    if (pending_ && &way == &pending_->way && way.parent) leave(words);
    return;
  }
  if (from == way.parent) return;
  if (way.unanswered.erase(from)) return report(way, {});
  way.told.insert(from);
  wire::Header header;
  header.mutable_answer()->set_run(to_field(way.run));
  header.mutable_answer()->set_complete(true);
  outside_.send(from, std::move(header), {});
}

wire::Reply Convening::ready(const Digest& announcement) {
  wire::Reply reply;
  reply.set_word(wire::Reply::READY);
  for (const AgentId j : outside_.neighbours()) reply.add_linked(j);
  return signed_reply(std::move(reply), announcement, options_);
}

wire::Reply Convening::refusal(const Digest& announcement, const Reason& reason) {
  wire::Reply reply;
  reply.set_word(wire::Reply::REFUSES);
  reply.set_code(static_cast<std::uint32_t>(reason.code));
  reply.set_detail(reason.detail);
  return signed_reply(std::move(reply), announcement, options_);
}

void Convening::refuse(AgentId to, const Announced& what, const Reason& reason, const std::string& log) {
  // It comes over every neighbour, and is one request.
  if (std::ranges::count(refused_, what.run.name) == 0) {
    refused_.push_back(what.run.name);
    if (refused_.size() > remembered_refusals) refused_.pop_front();
    const std::string why = log.empty() ? in_words(reason) : log;
    outside_.log(LogLevel::warning, what.run.originator,
                 fmt::format("refused {} requested by {}: {}", what.run.request.kind,
                             who(options_, what.run.originator), why));
    outside_.refused(what.run, why);
  }
  reply(to, what, refusal(what.digest, reason));
}

// For a run that this agent has nothing more to do with.
void Convening::reply(AgentId to, const Announced& what, const wire::Reply& reply) {
  wire::Header header;
  wire::Answer& answer = *header.mutable_answer();
  answer.set_run(to_field(what.run.name));
  *answer.add_replies() = reply;
  answer.set_complete(true);
  outside_.send(to, std::move(header), {});
}

void Convening::answer(AgentId from, const wire::Answer& said) {
  Way* const way = find(said.run());
  if (!way || !way->told.contains(from)) return;
  Replies fresh;
  for (const wire::Reply& reply : said.replies()) {
    if (way->replies.contains(reply.agent())) continue;  // it has come by another route
    if (!take_in(from, *way, reply)) {
      way->unanswered.erase(from);  // whatever else it brings does not count, either
      way->told.erase(from);
      break;
    }
    *fresh.Add() = reply;
  }
  if (said.disturbed()) way->disturbed = true;
  if (said.complete() || said.disturbed()) way->unanswered.erase(from);
  report(*way, fresh);
}

// Relays check signatures, too, so that the log of the first to hear a forgery names the right one.
bool Convening::take_in(AgentId from, Way& way, const wire::Reply& reply) {
  std::string wrong;
  if (!std::ranges::binary_search(way.roster, reply.agent()))
    wrong = "which takes no part in the run";
  else if (!is_signed(reply, options_))
    wrong = "which that agent has not signed";
  else if (!makes_sense(reply, options_))
    wrong = "which makes no sense";
  else if (!answers_to(reply, way.digest))
    wrong = way.parent ? fmt::format(
                             "which has agreed to something else than this agent was told: {} told the "
                             "two different things",
                             options_.everybody[way.originator].name)
                       : "which answers to something else than this agent has announced";
  if (wrong.empty()) {
    way.replies[reply.agent()] = reply;
    return true;
  }
  outside_.log(LogLevel::error, from,
               fmt::format("{} brings an answer of {}, {}: it is ignored", who(options_, from),
                           who(options_, reply.agent()), wrong));
  return false;
}

// Tells the parent what is new; the originator itself looks whether it can decide.
void Convening::report(Way& way, const Replies& fresh) {
  if (!way.parent) return decide();
  const bool complete = way.unanswered.empty() && !way.said_complete;
  const bool disturbed = way.disturbed && !way.said_disturbed;
  if (fresh.empty() && !complete && !disturbed) return;
  way.said_complete |= complete;
  way.said_disturbed |= disturbed;
  wire::Header header;
  wire::Answer& answer = *header.mutable_answer();
  answer.set_run(to_field(way.run));
  *answer.mutable_replies() = fresh;
  answer.set_complete(complete);
  answer.set_disturbed(disturbed);
  outside_.send(*way.parent, std::move(header), {});
}

void Convening::start(AgentId from, const wire::Start& said) {
  Way* const way = find(said.run());
  if (!way || !way->parent || way->over) return;
  if (!is_signed(said, way->digest, way->originator, options_)) {
    outside_.log(LogLevel::error, from,
                 fmt::format("{} passes on a start that {} has not signed: it is ignored",
                             who(options_, from), who(options_, way->originator)));
    return;
  }
  way->over = true;
  wire::Header header;
  *header.mutable_start() = said;
  flood(header, from);
  if (!pending_ || way != &pending_->way) return;
  if (const auto objection = objection_to(said, *pending_->what, pending_->own, options_)) {
    outside_.log(LogLevel::error, way->originator, *objection + "; the run does not start here");
    return leave(*objection);
  }
  const Agreed agreed = agreed_on(way->digest, said.replies(), options_.graph.everybody);
  const std::shared_ptr<const Announced> what = std::move(pending_->what);
  pending_.reset();
  running_ = true;
  running_run_ = what->run;
  outside_.start(what->run, agreed);
}

// The originator has said what no honest agent says: this agent takes no part, and says so to everybody.
void Convening::leave(const std::string& objection) {
  const Way& way = pending_->way;
  const Reason reason{ReasonCode::misbehaved, way.originator};
  reply(*way.parent, *pending_->what, refusal(way.digest, reason));
  wire::Header header;
  *header.mutable_quit() = quit_of(way.run, way.digest, reason, options_);
  flood(header, std::nullopt);
  backoff_.failed(way.originator, outside_.now());
  drop(objection);
}

// The originator may, and an agent of the roster next to it that has lost it.
bool Convening::may_cancel(AgentId author, const Way& way) const {
  return author == way.originator || (std::ranges::binary_search(way.roster, author) &&
                                      options_.graph.everybody.adjacent(author, way.originator));
}

void Convening::cancel(AgentId from, const wire::Cancel& said) {
  Way* const way = find(said.run());
  const bool known = way && said.announcement() == to_field(way->digest);
  if (known && way->over) return;
  const std::string wrong = said.announcement().size() != sizeof(Digest) ? "it names no announcement"
                            : !is_signed(said, options_)                 ? "that agent has not signed it"
                            : known && !may_cancel(said.author(), *way)  ? "that agent may not cancel the run"
                                                                         : "";
  if (!wrong.empty())
    return outside_.log(
        LogLevel::error, from,
        fmt::format("{} passes on a cancellation by {} that does not count: {}; it is ignored",
                    who(options_, from), who(options_, said.author()), wrong));
  remember_cancelled(said);
  std::erase_if(deferred_, [&](const Deferred& d) { return was_cancelled(*d.what); });
  if (!known) return;
  if (!way->parent) {  // this agent's own run, which somebody has given up
    if (said.author() != options_.self) disturbed("the way to " + who(options_, said.author()));
    return;
  }
  way->over = true;
  wire::Header header;
  *header.mutable_cancel() = said;
  flood(header, from);
  if (!pending_ || way != &pending_->way) return;
  if (said.author() == way->originator)
    backoff_.held(way->originator, outside_.now(), outside_.now() - pending_->since);
  drop("it was withdrawn");
}

void Convening::remember_cancelled(const wire::Cancel& cancel) {
  const auto same = [&](const Cancelled& one) { return one.author == cancel.author(); };
  if (std::ranges::count_if(cancelled_, same) >= remembered_cancellations)
    cancelled_.erase(std::ranges::find_if(cancelled_, same));
  cancelled_.push_back({cancel.announcement(), cancel.author()});
}

bool Convening::was_cancelled(const Announced& what) const {
  return std::ranges::any_of(cancelled_, [&](const Cancelled& one) {
    return one.announcement == to_field(what.digest) && may_cancel(one.author, way_of(what, std::nullopt));
  });
}

void Convening::flood(const wire::Header& header, std::optional<AgentId> except) {
  for (const AgentId j : outside_.neighbours())
    if (j != except) outside_.send(j, header, {});
}

// Somebody else's run does not start with this agent.
void Convening::drop(const std::string& why) {
  outside_.forget(pending_->what->run, why);
  pending_.reset();
  announce_next();
}

// A run may start without the agent it was heard from, as the start is flooded, but not without its
// originator.
void Convening::lost(AgentId neighbour) {
  std::erase_if(deferred_, [&](const Deferred& d) { return d.from == neighbour; });
  const auto cut = [&](Way& way) {
    way.told.erase(neighbour);
    if (!way.unanswered.erase(neighbour)) return;
    way.disturbed = true;
    report(way, {});
  };
  for (auto& [originator, way] : passed_) cut(way);
  if (!pending_) return;
  if (pending_->way.originator != neighbour) return cut(pending_->way);
  outside_.log(LogLevel::warning, neighbour,
               fmt::format("{} announced a {} and was lost before it started it", who(options_, neighbour),
                           pending_->what->run.request.kind));
  backoff_.failed(neighbour, outside_.now());
  const wire::Header header = cancel_of(pending_->way.run, pending_->way.digest, options_);
  flood(header, neighbour);
  remember_cancelled(header.cancel());
  drop("the agent that asked for it is lost");
}

}  // namespace tacit
