#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <set>

#include "tacit/base/error.hpp"
#include "tacit/protocol/exact/talk.hpp"

namespace tacit {
namespace {

using Event = Channel::Event;

// What a call says: a fresh name for the gathering, and the plan as its originator has it.
struct Call {
  Digest id{}, plan{};
};

Call call_from(const ExactTalk& talk, const Event& event) {
  if (event.message.size() != 2 * sizeof(Digest)) ExactTalk::malformed(event);
  Call call;
  std::ranges::copy(event.message.bytes().first(sizeof(Digest)), call.id.begin());
  std::ranges::copy(event.message.bytes().last(sizeof(Digest)), call.plan.begin());
  if (call.plan != digest_of(talk.plan()))
    throw InputError(
        fmt::format("agent {} has another plan for this sum than agent {}, who asks for it; compare "
                    "dimension, bound, unit and collusion",
                    talk.self(), talk.plan().originator));
  return call;
}

// The roster is in order, has this agent's own entry and enough others, and the partners' keys are their own.
Standing checked(ExactTalk& talk, const std::vector<RosterEntry>& roster, const Digest& gathering,
                 const KeyPair& key) {
  const ExactPlan& plan = talk.plan();
  Standing group{plan.originator,
                 plan.mask_degree,
                 talk.parent(),
                 talk.children(),
                 {},
                 digest_of({gathering, to_bytes(roster)}),
                 {}};
  for (const RosterEntry& entry : roster) group.roster.push_back(entry.agent);
  const auto at = std::ranges::lower_bound(group.roster, talk.self());
  const auto place = static_cast<std::size_t>(at - group.roster.begin());
  if (std::ranges::adjacent_find(group.roster, std::greater_equal{}) != group.roster.end() ||
      at == group.roster.end() || *at != talk.self() || group.roster.back() >= plan.agents ||
      roster[place].key != key.public_key() || roster.size() < plan.fewest)
    throw Error(
        fmt::format("the roster of epoch {} is not one that agent {} can take part in: it must be in order "
                    "and contain its key and at least {} agents",
                    talk.epoch(), talk.self(), plan.fewest));
  for (const std::size_t k : mask_partners(roster.size(), place, plan.mask_degree)) {
    const RosterEntry& partner = roster[k];
    if (!verify(talk.net().identity_of(partner.agent), consent_text(gathering, partner.agent, partner.key),
                partner.consent))
      throw Error(
          fmt::format("the consent of agent {} is not signed by it: somebody on the way has changed its key",
                      partner.agent));
    group.keys.emplace(partner.agent, key.agree(partner.key));
  }
  return group;
}

}  // namespace

Digest digest_of(const ExactPlan& plan) {
  const std::uint64_t whole[] = {plan.agents, plan.dimension, plan.modulus_bits, plan.originator,
                                 plan.mask_degree};
  return digest_of({std::as_bytes(std::span(whole)), bytes_of(plan.unit), bytes_of(plan.value_bound)});
}

Task<bool> gather(ExactTalk& talk, std::optional<Standing>& group) {
  const ExactPlan& plan = talk.plan();
  Call call{{}, digest_of(plan)};
  std::optional<AgentId> parent;
  if (talk.originator()) {
    if (talk.reachable().empty()) throw Error("all neighbours of the agent that asks for the sum are lost");
    talk.net().randomness().fill(call.id);
  } else {
    const Event heard = co_await talk.hear_call();
    call = call_from(talk, heard);
    parent = heard.from;
  }
  const std::uint32_t run = talk.run(), epoch = talk.epoch();
  const Digest gathering = digest_of({call.id, bytes_of(run), bytes_of(epoch), call.plan});
  const KeyPair key(talk.net().randomness());
  std::vector<RosterEntry> roster{
      {talk.self(), key.public_key(),
       talk.net().identity().sign(consent_text(gathering, talk.self(), key.public_key()))}};

  std::set<AgentId> unanswered;
  for (AgentId j : talk.reachable())
    if (j != parent) {
      talk.send(j, Step::call, bytes_of(call));
      unanswered.insert(j);
    }
  std::vector<AgentId> children;
  while (!unanswered.empty()) {  // a neighbour answers with its own call, or joins below this agent
    const std::optional<Event> event = co_await talk.hear();
    if (!event) co_return false;
    const bool joins = event->tag.step == Step::join;
    if ((!joins && event->tag.step != Step::call) || !unanswered.erase(event->from))
      ExactTalk::malformed(*event);
    if (!joins) continue;
    children.push_back(event->from);
    for (const RosterEntry& entry : roster_from(event->message.bytes())) roster.push_back(entry);
  }
  talk.sit(parent, std::move(children));

  if (talk.originator()) {
    std::ranges::sort(roster, {}, &RosterEntry::agent);
    if (roster.size() < plan.fewest)
      throw Error(
          fmt::format("only {} agents are left and the sum needs at least {}", roster.size(), plan.fewest));
  } else {
    talk.send(*parent, Step::join, to_bytes(roster));
    const std::optional<Event> event = co_await talk.hear();
    if (!event) co_return false;
    if (event->tag.step != Step::roster || event->from != parent) ExactTalk::malformed(*event);
    roster = roster_from(event->message.bytes());
  }
  talk.send_down(Step::roster, to_bytes(roster));
  group = checked(talk, roster, gathering, key);
  co_return true;
}

}  // namespace tacit
