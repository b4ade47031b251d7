#include "tacit/protocol/exact/talk.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "tacit/base/error.hpp"

namespace tacit {

ExactTalk::ExactTalk(Channel& net, const ExactPlan& plan)
    : net_(net),
      plan_(plan),
      run_(net.begin_run()),
      self_(net.self()),
      // Whoever stands on a roster is in epoch 0 without being called, and so is the originator.
      stage_(net.standing() || originator() ? Stage::called : Stage::idle) {}

void ExactTalk::sit(std::optional<AgentId> parent, std::vector<AgentId> children) {
  parent_ = parent;
  children_ = std::move(children);
  stage_ = Stage::seated;
}

std::vector<AgentId> ExactTalk::reachable() const {
  std::vector<AgentId> all;
  for (AgentId j : net_.neighbourhood().neighbours)
    if (!lost_.contains(j)) all.push_back(j);
  return all;
}

void ExactTalk::send(AgentId to, Step step, Bytes bytes) {
  Payload payload = net_.buffer(bytes.size());
  std::ranges::copy(bytes, payload.bytes().begin());
  send(to, step, std::move(payload));
}

void ExactTalk::send(AgentId to, Step step, Payload payload) { net_.send(to, tag(step), std::move(payload)); }

void ExactTalk::send_down(Step step, Bytes bytes) {
  for (AgentId child : children_) send(child, step, bytes);
}

// Says so to all neighbours, once.
void ExactTalk::flood(Step step, std::uint32_t epoch, AgentId about, Bytes why) {
  if (!said_.insert({epoch, about, step}).second) return;
  for (AgentId j : reachable()) {
    Payload payload = net_.buffer(why.size());
    std::ranges::copy(why, payload.bytes().begin());
    net_.send(j, {run_, epoch, about, step}, std::move(payload));
  }
}

void ExactTalk::end_for_all(char whose_fault, const std::string& why) {
  if (ended_) return;  // they know
  const std::string text = fmt::format("{}agent {} ended the run: {}", whose_fault, self_, why);
  flood(Step::end, epoch_, self_, std::as_bytes(std::span(text)));
}

// Somebody else could not go on.
void ExactTalk::ended(const Event& event) {
  const Bytes why = event.message.bytes();
  flood(Step::end, event.tag.round, event.tag.about, why);
  ended_ = true;
  if (why.empty()) malformed(event);
  const std::string text(reinterpret_cast<const char*>(why.data()) + 1, why.size() - 1);
  if (why[0] == std::byte{'i'}) throw InputError(text);
  throw Error(text);
}

std::string ExactTalk::loss(AgentId agent) const {
  if (stage_ == Stage::opened)
    return fmt::format(
        "agent {} was lost while the sum was being opened (epoch {}), so there is no result; ask again",
        agent, epoch_);
  return fmt::format("agent {}, who asked for the sum, was lost in epoch {}", agent, epoch_);
}

void ExactTalk::over(std::uint32_t epoch) {
  epoch_ = std::max(epoch_, epoch + 1);
  stage_ = originator() ? Stage::called : Stage::idle;
}

// Takes in that a neighbour is gone; true if that ends this agent's epoch. Once the tree stands, only
// neighbours on it are needed: others, such as an agent that was absent from the start, are reported to every
// sum and end none.
bool ExactTalk::lose(AgentId neighbour) {
  lost_.insert(neighbour);
  const bool needed =
      neighbour == parent_ || (std::ranges::count(children_, neighbour) > 0 && !served_.contains(neighbour));
  const bool tree_stands = stage_ == Stage::seated || stage_ == Stage::opened;
  if (tree_stands && !needed) return false;
  if (neighbour == plan_.originator || stage_ == Stage::opened) throw Error(loss(neighbour));
  if (stage_ == Stage::idle) return false;  // agents that need it will say so
  flood(Step::abort, epoch_, neighbour, {});
  over(epoch_);
  return true;
}

Task<Channel::Event> ExactTalk::hear_call() {
  std::optional<Event> call = std::exchange(called_, std::nullopt);
  while (!call) call = co_await hear();
  stage_ = Stage::called;
  co_return std::move(*call);
}

Task<Channel::Event> ExactTalk::hear_opened() {
  std::optional<Event> event = co_await hear();
  co_return std::move(*event);  // there always is one: nothing but the run can end now
}

Task<std::optional<Channel::Event>> ExactTalk::hear() {
  for (;;) {
    Event event = co_await net_.next(run_);
    if (event.kind == Event::Kind::silence)
      throw Error(
          fmt::format("no more messages arrive (epoch {} of run {}{}{}): this agent is cut off from agent "
                      "{}, who asked for the sum, or an agent on the way has failed",
                      epoch_, run_, event.why.empty() ? "" : ", ", event.why, plan_.originator));
    if (event.kind == Event::Kind::gone) {
      if (lose(event.from)) co_return std::nullopt;
      continue;
    }
    if (lost_.contains(event.from)) continue;  // sent before the agent was lost; no answer can reach it
    if (event.tag.step == Step::end) ended(event);
    const std::uint32_t epoch = event.tag.round;
    if (epoch < epoch_) continue;  // of an epoch that is over
    if (event.tag.step == Step::abort) {
      flood(Step::abort, epoch, event.tag.about, {});
      if (stage_ == Stage::opened) {
        if (originator()) throw Error(loss(event.tag.about));
        continue;  // the originator will end the run
      }
      const bool took_part = stage_ != Stage::idle;
      over(epoch);
      if (took_part) co_return std::nullopt;
      continue;
    }
    if (event.tag.step == Step::call && (epoch > epoch_ || stage_ == Stage::idle)) {
      if (stage_ == Stage::opened)
        throw Error(fmt::format("agent {} calls for another epoch after the opening; an honest one does not",
                                event.from));
      epoch_ = epoch;
      if (std::exchange(stage_, Stage::idle) == Stage::idle) co_return event;
      called_ = std::move(event);
      co_return std::nullopt;
    }
    if (epoch > epoch_ || stage_ == Stage::idle) malformed(event);  // a call comes first
    co_return event;
  }
}

void ExactTalk::malformed(const Event& event) {
  throw Error(fmt::format("agent {} sent a malformed message ({}), {} bytes", event.from,
                          to_string(event.tag), event.message.size()));
}

}  // namespace tacit
