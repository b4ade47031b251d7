#include "tacit/link/runs/signed_run.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <functional>
#include <set>

#include "tacit/base/error.hpp"
#include "tacit/link/transport/hello.hpp"
#include "tacit/secrecy/bytes.hpp"

namespace tacit {
namespace {

template <class List>
std::vector<std::uint32_t> numbers_in(const List& list) {
  return {list.begin(), list.end()};
}

Digest announcement_digest(const RunDescription& run, const NodeOptions& options) {
  return digest_of({bytes_of("tacit announcement"), options.agreement.hash, run.name,
                    bytes_of(run.originator), bytes_of(run.number), bytes_of(run.ticket),
                    bytes_of(run.request.kind), bytes_of(run.request.body),
                    std::as_bytes(std::span(run.roster))});
}

// Covers everything in the reply except the signature.
Digest reply_digest(const wire::Reply& reply) {
  const std::uint32_t agent = reply.agent(), code = reply.code();
  const auto word = static_cast<std::uint32_t>(reply.word());
  const std::uint64_t detail = reply.detail(), in_the_way = reply.in_the_way();
  const auto linked = numbers_in(reply.linked());
  return digest_of({bytes_of("tacit reply"), bytes_of(reply.announcement()), bytes_of(agent), bytes_of(word),
                    bytes_of(code), bytes_of(detail), bytes_of(in_the_way),
                    std::as_bytes(std::span(linked))});
}

Digest run_digest(const Digest& announcement, const Replies& replies) {
  Digest all = digest_of({bytes_of("tacit run"), announcement});
  for (const wire::Reply& reply : replies) all = digest_of({all, reply_digest(reply)});
  return all;
}

Digest start_digest(const Digest& run) { return digest_of({bytes_of("tacit start"), run}); }

Digest cancel_digest(const std::string& announcement, AgentId author) {
  return digest_of({bytes_of("tacit cancel"), bytes_of(announcement), bytes_of(author)});
}

Digest quit_digest(const wire::Quit& quit, const Digest& bound) {
  const std::uint32_t author = quit.author(), code = quit.code();
  const std::uint64_t detail = quit.detail();
  return digest_of({bytes_of("tacit quit"), bound, bytes_of(quit.run()), bytes_of(author), bytes_of(code),
                    bytes_of(detail)});
}

std::string sign(const Digest& text, const NodeOptions& options) {
  return to_field(options.identity->sign(text));
}

bool signed_by(AgentId author, const Digest& text, const std::string& field, const NodeOptions& options) {
  Signature signature;
  if (author >= options.everybody.size() || field.size() != signature.size()) return false;
  std::memcpy(signature.data(), field.data(), signature.size());
  return verify(options.everybody[author].identity, text, signature);
}

// Why every agent would refuse this run. Empty if it follows the rules.
std::string rule_broken(const RunDescription& run, const NodeOptions& options) {
  const auto& roster = run.roster;
  if (run.request.kind.empty() || run.request.kind.size() > most_kind_bytes ||
      !std::ranges::all_of(run.request.kind, [](char c) { return c >= 'a' && c <= 'z'; }))
    return fmt::format("the kind of the request must have 1 to {} lower-case letters", most_kind_bytes);
  if (run.request.body.size() > options.most_request_bytes)
    return fmt::format("the request has {} bytes, above the limit of {}; split the request",
                       run.request.body.size(), options.most_request_bytes);
  if (roster.empty() || std::ranges::adjacent_find(roster, std::greater_equal{}) != roster.end() ||
      roster.back() >= options.everybody.size())
    return "the roster must list agents of the charter in ascending order, each once";
  if (roster.size() < std::min<std::size_t>(2, options.everybody.size()))
    return "at least two agents must take part";
  if (!std::ranges::binary_search(roster, run.originator)) return "the asker must take part";
  return {};
}

}  // namespace

Announced announce(RunDescription run, const NodeOptions& options) {
  if (const std::string rule = rule_broken(run, options); !rule.empty()) throw InputError(rule);
  Announced what{.run = std::move(run), .digest = {}, .header = {}};
  what.digest = announcement_digest(what.run, options);
  wire::Announcement& announcement = *what.header.mutable_announcement();
  announcement.set_run(to_field(what.run.name));
  announcement.set_originator(what.run.originator);
  announcement.set_number(what.run.number);
  announcement.set_ticket(what.run.ticket);
  announcement.set_kind(what.run.request.kind);
  for (const AgentId agent : what.run.roster) announcement.add_roster(agent);
  announcement.set_signature(sign(what.digest, options));
  return what;
}

Announced announced_in(const wire::Header& header, std::string_view body, const NodeOptions& options) {
  const wire::Announcement& received = header.announcement();
  Announced what{.run = {.name = name_from(received.run()),
                         .originator = received.originator(),
                         .number = received.number(),
                         .ticket = received.ticket(),
                         .request = {received.kind(), std::string(body)},
                         .roster = numbers_in(received.roster())},
                 .digest = {},
                 .header = {}};
  if (const std::string rule = rule_broken(what.run, options); !rule.empty())
    throw Error(
        fmt::format("an announcement of {} breaks a rule: {}", who(options, received.originator()), rule));
  what.digest = announcement_digest(what.run, options);
  if (!signed_by(received.originator(), what.digest, received.signature(), options))
    throw Error(fmt::format("an announcement is not signed by the agent that it names, {}",
                            who(options, received.originator())));
  *what.header.mutable_announcement() = received;
  return what;
}

wire::Reply signed_reply(wire::Reply reply, const Digest& announcement, const NodeOptions& options) {
  reply.set_agent(options.self);
  reply.set_announcement(to_field(announcement));
  reply.set_signature(sign(reply_digest(reply), options));
  return reply;
}

bool is_signed(const wire::Reply& reply, const NodeOptions& options) {
  return signed_by(reply.agent(), reply_digest(reply), reply.signature(), options);
}

bool is_well_formed(const wire::Reply& reply, const NodeOptions& options) {
  const auto& linked = reply.linked();
  return (reply.word() == wire::Reply::READY || reply.word() == wire::Reply::REFUSES ||
          reply.word() == wire::Reply::BUSY) &&
         std::ranges::adjacent_find(linked, std::greater_equal{}) == linked.end() &&
         (linked.empty() || *linked.rbegin() < options.everybody.size());
}

bool answers_to(const wire::Reply& reply, const Digest& announcement) {
  return reply.announcement() == to_field(announcement);
}

Agreed agreed_on(const Digest& announcement, const Replies& replies, const Graph& links) {
  std::vector<AgentId> roster;
  std::set<Edge> reported;  // (a, b): agent a reports a link to agent b
  for (const wire::Reply& reply : replies) {
    roster.push_back(reply.agent());
    for (const AgentId other : reply.linked()) reported.insert({reply.agent(), other});
  }
  std::vector<Edge> both = links.edge_list();
  std::erase_if(both, [&](const Edge& edge) {
    return !reported.contains(edge) || !reported.contains({edge.second, edge.first});
  });
  return {run_digest(announcement, replies),
          Gathering(std::move(roster), Graph(links.agents(), std::move(both)))};
}

wire::Header start_of(const Announced& what, Replies replies, const NodeOptions& options) {
  wire::Header header;
  wire::Start& start = *header.mutable_start();
  start.set_run(to_field(what.run.name));
  start.set_signature(sign(start_digest(run_digest(what.digest, replies)), options));
  *start.mutable_replies() = std::move(replies);
  return header;
}

bool is_signed(const wire::Start& start, const Digest& announcement, AgentId originator,
               const NodeOptions& options) {
  return signed_by(originator, start_digest(run_digest(announcement, start.replies())), start.signature(),
                   options);
}

std::optional<std::string> objection_to(const wire::Start& start, const Announced& what,
                                        const wire::Reply& own, const NodeOptions& options) {
  const std::string originator = who(options, what.run.originator);
  if (!std::ranges::equal(start.replies(), what.run.roster, {},
                          [](const auto& reply) { return reply.agent(); }))
    return fmt::format("{} starts a run with other agents than it announced", originator);
  for (const wire::Reply& reply : start.replies()) {
    const std::string agent = who(options, reply.agent());
    if (!is_signed(reply, options))
      return fmt::format("{} starts a run with an answer that {} has not signed", originator, agent);
    if (!is_well_formed(reply, options))
      return fmt::format("{} starts a run with a malformed answer of {}", originator, agent);
    if (!answers_to(reply, what.digest))
      return fmt::format(
          "{} has agreed to a different announcement than this agent in the run that {} announced: {} sent "
          "the two different announcements",
          agent, originator, options.everybody[what.run.originator].name);
    if (reply.word() != wire::Reply::READY)
      return fmt::format("{} starts a run although {} is not ready for it", originator, agent);
    if (reply.agent() == options.self && reply_digest(reply) != reply_digest(own))
      return fmt::format("{} starts a run with an answer that this agent did not give", originator);
  }
  return std::nullopt;
}

wire::Header cancel_of(const Name& run, const Digest& announcement, const NodeOptions& options) {
  wire::Header header;
  wire::Cancel& cancel = *header.mutable_cancel();
  cancel.set_run(to_field(run));
  cancel.set_announcement(to_field(announcement));
  cancel.set_author(options.self);
  cancel.set_signature(sign(cancel_digest(cancel.announcement(), options.self), options));
  return header;
}

bool is_signed(const wire::Cancel& cancel, const NodeOptions& options) {
  return signed_by(cancel.author(), cancel_digest(cancel.announcement(), cancel.author()), cancel.signature(),
                   options);
}

wire::Quit quit_of(const Name& run, const Digest& bound, const Reason& reason, const NodeOptions& options) {
  wire::Quit quit;
  quit.set_run(to_field(run));
  quit.set_author(options.self);
  quit.set_code(static_cast<std::uint32_t>(reason.code));
  quit.set_detail(reason.detail);
  quit.set_signature(sign(quit_digest(quit, bound), options));
  return quit;
}

bool is_signed(const wire::Quit& quit, const Digest& bound, const NodeOptions& options) {
  return signed_by(quit.author(), quit_digest(quit, bound), quit.signature(), options);
}

Digest bound_to_name(const Name& run) { return digest_of({bytes_of("tacit run by name"), run}); }

Reason reason_of(const wire::Quit& quit) { return {static_cast<ReasonCode>(quit.code()), quit.detail()}; }

}  // namespace tacit
