// Handles the announcements, answers, starts and cancellations of other agents.
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

Convening::Route Convening::route_of(const Announced& what, std::optional<AgentId> parent) const {
  Route route;
  route.run = what.run.name;
  route.digest = what.digest;
  route.originator = what.run.originator;
  route.number = what.run.number;
  route.roster = what.run.roster;
  route.parent = parent;
  return route;
}

Convening::Route* Convening::find(const std::string& run) {
  if (pending_ && run == to_field(pending_->route.run)) return &pending_->route;
  for (auto& [originator, route] : relayed_)
    if (run == to_field(route.run)) return &route;
  return nullptr;
}

// The originator of the known run with this name. Every agent that receives an announcement knows the name,
// and must not be able to use it to disturb the run.
std::optional<AgentId> Convening::owner_of(const Name& run) {
  if (running_ && running_run_.name == run) return running_run_.originator;
  const Route* const route = find(to_field(run));
  return route ? std::optional(route->originator) : std::nullopt;
}

void Convening::announced(AgentId from, std::shared_ptr<const Announced> what) {
  const RunDescription& run = what->run;
  if (const auto owner = owner_of(run.name); owner && *owner != run.originator)
    return outside_.log(LogLevel::error, run.originator,
                        fmt::format("{} announced a run under the name of a run of {}: it is ignored",
                                    who(options_, run.originator), who(options_, *owner)));
  if (pending_ && pending_->route.run == run.name) return announced_again(pending_->route, from, *what);
  if (run.originator == options_.self) return;  // an old run of this agent
  if (!std::ranges::binary_search(run.roster, options_.self)) return relay(from, *what);
  if (running_) return defer(from, std::move(what));
  if (was_cancelled(*what)) return;  // the cancellation came by another route
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
  const auto before = std::ranges::find(refused_, what->digest, &Refused::announcement);
  if (before != refused_.end()) return refuse(from, *what, before->reason, {});  // now from another neighbour
  Consent consent = outside_.consent(run);
  if (consent.refusal) return refuse(from, *what, *consent.refusal, consent.log);
  pending_ = Pending{.what = what,
                     .route = route_of(*what, from),
                     .own = ready(what->digest),
                     .decoded = std::move(consent.decoded),
                     .since = now,
                     .deadline = now + options_.timeouts.gather + options_.timeouts.start};
  Route& route = pending_->route;
  route.replies[options_.self] = pending_->own;
  outside_.expect(*what);
  const std::vector<AgentId> here = outside_.neighbours();
  if (route.originator != from && std::ranges::binary_search(here, route.originator)) {
    // A direct reply as well: an agent between the two could withhold it.
    wire::Header header;
    header.mutable_answer()->set_run(to_field(route.run));
    *header.mutable_answer()->add_replies() = pending_->own;
    outside_.send(route.originator, std::move(header), {});
  }
  spread(route, *what);
  Replies fresh;
  *fresh.Add() = pending_->own;
  report(route, fresh);
}

// This agent does not take part in the run, but agents behind it may.
void Convening::relay(AgentId from, const Announced& what) {
  const auto known = relayed_.find(what.run.originator);
  if (known != relayed_.end() && known->second.run == what.run.name)
    return announced_again(known->second, from, what);
  if (known != relayed_.end() && known->second.number >= what.run.number) return;  // old
  Route& route = relayed_[what.run.originator] = route_of(what, from);
  spread(route, what);
  report(route, {});
}

// Keeps one announcement of each originator: a later one means that the earlier one was withdrawn.
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

// Passes an announcement on to all other neighbours, and notes that they must answer.
void Convening::spread(Route& route, const Announced& what) {
  for (const AgentId j : outside_.neighbours()) {
    if (j == route.parent) continue;
    outside_.send(j, what.header, what.run.request.body);
    route.sent_to.insert(j);
    route.unanswered.insert(j);
  }
}

// Two neighbours that send each other the same announcement have thereby answered each other. Another case is
// a neighbour that did not get it from this agent because it counted as lost, or that got it, was busy and
// has received it from another agent since. That neighbour waits for an answer that says only that this agent
// has received it.
void Convening::announced_again(Route& route, AgentId from, const Announced& what) {
  if (what.digest != route.digest) {
    // The originator has signed both.
    const std::string words =
        fmt::format("{} sent two different announcements of one run", who(options_, what.run.originator));
    outside_.log(LogLevel::error, what.run.originator, words);
    if (pending_ && &route == &pending_->route && route.parent) leave(words);
    return;
  }
  if (from == route.parent) return;
  if (route.unanswered.erase(from)) return report(route, {});
  route.sent_to.insert(from);
  wire::Header header;
  header.mutable_answer()->set_run(to_field(route.run));
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
  // The announcement arrives over every neighbour, but it is one request.
  if (std::ranges::count(refused_, what.digest, &Refused::announcement) == 0) {
    refused_.push_back({what.digest, reason});
    if (refused_.size() > remembered_refusals) refused_.pop_front();
    const std::string why = log.empty() ? in_words(reason) : log;
    outside_.log(LogLevel::warning, what.run.originator,
                 fmt::format("refused {} requested by {}: {}", what.run.request.kind,
                             who(options_, what.run.originator), why));
    outside_.refused(what.run, why);
  }
  reply(to, what, refusal(what.digest, reason));
}

// Replies about a run to which this agent has nothing to add.
void Convening::reply(AgentId to, const Announced& what, const wire::Reply& reply) {
  wire::Header header;
  wire::Answer& answer = *header.mutable_answer();
  answer.set_run(to_field(what.run.name));
  *answer.add_replies() = reply;
  answer.set_complete(true);
  outside_.send(to, std::move(header), {});
}

void Convening::answer(AgentId from, const wire::Answer& received) {
  Route* const route = find(received.run());
  if (!route || !route->sent_to.contains(from)) return;
  Replies fresh;
  for (const wire::Reply& reply : received.replies()) {
    if (route->replies.contains(reply.agent())) continue;  // received by another route
    if (!accept(from, *route, reply)) {
      route->unanswered.erase(from);  // all further answers of this neighbour are ignored
      route->sent_to.erase(from);
      break;
    }
    *fresh.Add() = reply;
  }
  if (received.disturbed()) route->disturbed = true;
  if (received.complete() || received.disturbed()) route->unanswered.erase(from);
  report(*route, fresh);
}

// Relays also check signatures, so that the first honest agent that receives a forgery logs the sender.
bool Convening::accept(AgentId from, Route& route, const wire::Reply& reply) {
  std::string wrong;
  if (!std::ranges::binary_search(route.roster, reply.agent()))
    wrong = "which does not take part in the run";
  else if (!is_signed(reply, options_))
    wrong = "which that agent has not signed";
  else if (!is_well_formed(reply, options_))
    wrong = "which is malformed";
  else if (!answers_to(reply, route.digest))
    wrong = route.parent
                ? fmt::format(
                      "which agrees to a different announcement than this agent received: {} sent the "
                      "two different announcements",
                      options_.everybody[route.originator].name)
                : "which does not answer this agent's announcement";
  if (wrong.empty()) {
    route.replies[reply.agent()] = reply;
    return true;
  }
  outside_.log(LogLevel::error, from,
               fmt::format("{} passed on an answer of {}, {}: it is ignored", who(options_, from),
                           who(options_, reply.agent()), wrong));
  return false;
}

// Reports new replies to the parent. The originator checks whether it can decide.
void Convening::report(Route& route, const Replies& fresh) {
  if (!route.parent) return decide();
  const bool complete = route.unanswered.empty() && !route.reported_complete;
  const bool disturbed = route.disturbed && !route.reported_disturbed;
  if (fresh.empty() && !complete && !disturbed) return;
  route.reported_complete |= complete;
  route.reported_disturbed |= disturbed;
  wire::Header header;
  wire::Answer& answer = *header.mutable_answer();
  answer.set_run(to_field(route.run));
  *answer.mutable_replies() = fresh;
  answer.set_complete(complete);
  answer.set_disturbed(disturbed);
  outside_.send(*route.parent, std::move(header), {});
}

void Convening::start(AgentId from, const wire::Start& received) {
  Route* const route = find(received.run());
  if (!route || !route->parent || route->over) return;
  if (!is_signed(received, route->digest, route->originator, options_)) {
    outside_.log(LogLevel::error, from,
                 fmt::format("{} passed on a start that {} has not signed: it is ignored",
                             who(options_, from), who(options_, route->originator)));
    return;
  }
  route->over = true;
  wire::Header header;
  *header.mutable_start() = received;
  flood(header, from);
  if (!pending_ || route != &pending_->route) return;
  if (const auto objection = objection_to(received, *pending_->what, pending_->own, options_)) {
    outside_.log(LogLevel::error, route->originator, *objection + "; the run does not start here");
    return leave(*objection);
  }
  start_pending(agreed_on(route->digest, received.replies(), options_.graph));
}

// The originator violated the protocol: this agent leaves the run and notifies all other agents.
void Convening::leave(const std::string& objection) {
  const Route& route = pending_->route;
  const Reason reason{ReasonCode::misbehaved, route.originator};
  reply(*route.parent, *pending_->what, refusal(route.digest, reason));
  wire::Header header;
  *header.mutable_quit() = quit_of(route.run, route.digest, reason, options_);
  flood(header, std::nullopt);
  backoff_.failed(route.originator, outside_.now());
  drop(objection);
}

// The originator may cancel its run. So may an agent of the roster that is its neighbour and has lost it.
bool Convening::may_cancel(AgentId author, const Route& route) const {
  return author == route.originator || (std::ranges::binary_search(route.roster, author) &&
                                        options_.graph.adjacent(author, route.originator));
}

void Convening::cancel(AgentId from, const wire::Cancel& received) {
  Route* const route = find(received.run());
  const bool known = route && received.announcement() == to_field(route->digest);
  if (known && route->over) return;
  const std::string wrong = received.announcement().size() != sizeof(Digest) ? "it names no announcement"
                            : !is_signed(received, options_)                 ? "that agent has not signed it"
                            : known && !may_cancel(received.author(), *route)
                                ? "that agent may not cancel the run"
                                : "";
  if (!wrong.empty())
    return outside_.log(LogLevel::error, from,
                        fmt::format("{} passed on an invalid cancellation by {}: {}; it is ignored",
                                    who(options_, from), who(options_, received.author()), wrong));
  remember_cancelled(received);
  std::erase_if(deferred_, [&](const Deferred& d) { return was_cancelled(*d.what); });
  if (!known) return;
  if (!route->parent) {  // this agent's own run, which another agent has cancelled
    if (received.author() != options_.self) disturbed(who(options_, received.author()));
    return;
  }
  route->over = true;
  wire::Header header;
  *header.mutable_cancel() = received;
  flood(header, from);
  if (!pending_ || route != &pending_->route) return;
  if (received.author() == route->originator)
    backoff_.held(route->originator, outside_.now(), outside_.now() - pending_->since);
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
    return one.announcement == to_field(what.digest) && may_cancel(one.author, route_of(what, std::nullopt));
  });
}

void Convening::flood(const wire::Header& header, std::optional<AgentId> except) {
  for (const AgentId j : outside_.neighbours())
    if (j != except) outside_.send(j, header, {});
}

// Another agent's run does not start with this agent.
void Convening::drop(const std::string& why) {
  outside_.forget(pending_->what->run, why);
  pending_.reset();
  announce_next();
}

// A run may start although the neighbour that announced it here is lost, because the start is flooded. It
// cannot start without its originator.
void Convening::lost(AgentId neighbour) {
  std::erase_if(deferred_, [&](const Deferred& d) { return d.from == neighbour; });
  const auto cut = [&](Route& route) {
    route.sent_to.erase(neighbour);
    if (!route.unanswered.erase(neighbour)) return;
    route.disturbed = true;
    report(route, {});
  };
  for (auto& [originator, route] : relayed_) cut(route);
  if (!pending_) return;
  if (pending_->route.originator != neighbour) return cut(pending_->route);
  outside_.log(LogLevel::warning, neighbour,
               fmt::format("{} announced a run of kind {} and was lost before starting it",
                           who(options_, neighbour), pending_->what->run.request.kind));
  backoff_.failed(neighbour, outside_.now());
  const wire::Header header = cancel_of(pending_->route.run, pending_->route.digest, options_);
  flood(header, neighbour);
  remember_cancelled(header.cancel());
  drop("the asker is lost");
}

}  // namespace tacit
